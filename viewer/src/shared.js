// The helpers that both stages share stand in the page, not here. They are looked up when called: the page may load them after this script.

export const shared = () => globalThis.borelliScene;
