// A page with nothing but the stage, opened in the system's Chromium. The samples go in as modules do: by text.

import { existsSync, readFileSync } from "node:fs";
import { chromium } from "playwright-core";

const PROGRAMS = [process.env.CHROMIUM, "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const FLAGS = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];

const here = (path) => new URL(path, import.meta.url);
const text = (path) => readFileSync(here(path), "utf8");

// The browser's path, or nothing where there is none.
export const browserPath = () => PROGRAMS.find((path) => path && existsSync(path));

export const open = (flags = FLAGS) => chromium.launch({ executablePath: browserPath(), args: flags });

const inline = (script) => script.replaceAll("</script", "<\\/script");

export function pageText(width, height, scheme = "light") {
  const samples = inline(text("samples.js").replaceAll(/^export /gm, "")) + "\nglobalThis.samples = { walk, heel, thrown, mechanism, planar, longWalk };";
  return `<!doctype html><meta charset="utf-8"><body style="margin:0;background:${scheme === "dark" ? "#0F1216" : "#fff"}">
<div id="stage" style="position:relative;width:${width}px;height:${height}px;overflow:hidden"></div>
<script>${inline(["scene.js", "scene-moment.js", "scene-pull.js", "scene-soft.js"].map((name) => text("../../crates/borelli/src/report/page/" + name)).join(""))}</script>
<script>(() => {${samples}})()</script>
<script>${text("../dist/viewer.js")}</script>`;
}
