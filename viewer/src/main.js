// Hands the stage in space to the page, which chooses between it and the plain one.

import { mount } from "./stage.js";

globalThis.borelliStages = globalThis.borelliStages || {};
globalThis.borelliStages.three = mount;
