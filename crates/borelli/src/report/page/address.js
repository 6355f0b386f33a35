// The state in the address, so that a page can be sent as it stands: #t=0.3&case=1&plot=a,b&view=side. A mere anchor leads to a part of the page.

function addressed() {
  const text = window.location.hash.slice(1);
  const found = { poster: text === "poster" || text.startsWith("poster&") };
  for (const part of text.split("&")) {
    const at = part.indexOf("=");
    if (at <= 0) continue;
    try {
      found[part.slice(0, at)] = decodeURIComponent(part.slice(at + 1));
    } catch {
      // What cannot be read says nothing.
    }
  }
  return found;
}

const asked = addressed();

// Case, time, plots and view of the address.
function restoreState(from) {
  const index = Number(from.case);
  if (from.case !== undefined && Number.isInteger(index)) chooseCase(index);
  const t = Number(from.t);
  if (from.t !== undefined && from.t !== "" && Number.isFinite(t)) goToTime(t);
  if (from.view && VIEW_NAMES.includes(from.view) && stage && !borelliScene.figureOf(data, current()).planar) stage.view(from.view);
  if (from.plot && byId("tree")) tickColumns(from.plot.split(","));
}

// Written a little after the last change: browsers refuse to write often.
let writing = null;
function rememberState() {
  if (asked.poster) return;
  clearTimeout(writing);
  writing = setTimeout(() => {
    const parts = [];
    if (moves) parts.push("t=" + shownTime());
    if (state.case !== firstCase) parts.push("case=" + state.case);
    if (ticked.length) parts.push("plot=" + ticked.map(encodeURIComponent).join(","));
    if (stage && stage.view() && stage.view() !== "oblique" && !borelliScene.figureOf(data, current()).planar) parts.push("view=" + stage.view());
    if (asked.stage) parts.push("stage=" + encodeURIComponent(asked.stage));
    history.replaceState(null, "", "#" + parts.join("&"));
  }, 300);
}
