// What the browser tests share: run folders made by the program, a browser, pages that are watched, trajectories read back.
// Not here: any script of the page; what is expected is worked out from the files of the run.

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

// Software rendering, so that a machine without a graphics card draws the same as one with it.
const WEBGL = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"];
const NO_WEBGL = ["--disable-gpu", "--disable-software-rasterizer"];

export const STAGES = ["three", "plain"];
export const SLOW = process.env.BORELLI_SLOW === "1";
// A page is ready in five seconds on an idle machine; the machine of a test is seldom idle.
export const PATIENCE = 60_000;

// Measurements of others, which some studies read, where they lie beside the project.
const beside = resolve(import.meta.dirname, "../../../shared");
if (existsSync(beside)) process.env.BORELLI_REFERENCE ??= beside;

const program = resolve(process.env.BORELLI_BIN ?? "../target/debug/borelli");
const shelf = mkdtempSync(join(tmpdir(), "borelli-pages-"));
process.on("exit", () => rmSync(shelf, { recursive: true, force: true }));

export function borelli(...words) {
  try {
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (failure) {
    // A missed expectation ends with 1 and leaves a page all the same.
    if (failure.status === 1) return failure.stdout;
    throw new Error(`borelli ${words.join(" ")}: ${failure.stderr}`);
  }
}

// The folder of a study or model, computed once a process.
export function runOf(name, ...more) {
  const folder = join(shelf, [name.replaceAll("/", "-"), ...more].join("_").replace(/[^\w.-]/g, "-"));
  if (!existsSync(folder)) borelli("run", name, "--out", folder, ...more);
  return folder;
}

// Writes a file beside the runs and gives its path.
export function written(name, text) {
  const path = join(shelf, name);
  writeFileSync(path, text);
  return path;
}

export const launch = (webgl = true) =>
  chromium.launch({
    executablePath: process.env.BORELLI_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...(webgl ? WEBGL : NO_WEBGL)],
  });

// Opens a file and watches it: everything the console says, every request, every fault of a script.
export async function open(browser, file, { hash = "", width = 1280, height = 900, scheme = "light", script = true } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, javaScriptEnabled: script, acceptDownloads: true });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const said = [];
  const requests = [];
  page.on("console", (message) => ["warning", "error"].includes(message.type()) && said.push(message.text()));
  page.on("pageerror", (error) => said.push(String(error)));
  page.on("request", (request) => /^(data|blob):/.test(request.url()) || requests.push(request.url()));
  const began = Date.now();
  await page.goto(pathToFileURL(file).href + hash);
  if (script) await page.waitForFunction(() => window.borelli && window.borelli.ready.then(() => true), null, { timeout: PATIENCE });
  return { page, said, requests, readyAfter: Date.now() - began, close: () => context.close() };
}

export const reportOf = (folder) => join(folder, "report.html");
export const hashOf = (stage) => (stage === "plain" ? "#stage=plain" : "");

// Places of the cases inside a run folder: itself, or `cases/NAME`.
export function casesOf(folder) {
  const summary = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
  return summary.cases ? summary.cases.map((one) => ({ name: one.name, place: join(folder, "cases", one.name) })) : [{ name: "", place: folder }];
}

// A trajectory: names of its columns and its rows. The program writes the shortest text that reads back to the same bits.
export function trajectoryOf(place) {
  const lines = readFileSync(join(place, "trajectory.sto"), "utf8").split("\n");
  const head = lines.findIndex((line) => line.trim() === "endheader");
  const names = lines[head + 1].split("\t");
  const rows = lines.slice(head + 2).filter(Boolean).map((line) => line.split("\t").map(Number));
  const at = new Map(names.map((name, k) => [name, k]));
  return { names, rows, value: (sample, name) => rows[sample][at.get(name)], has: (name) => at.has(name), time: rows.map((row) => row[0]) };
}

export const figureOf = (place) => JSON.parse(readFileSync(join(place, "figure.json"), "utf8"));

// World place of a spot of a body at a sample, from the columns of the trajectory alone.
export function placeOf(figure, table, [body, x, y, z], sample) {
  if (body === 0) return [x, y, z];
  const get = (part) => table.value(sample, `body.${figure.bodies[body].name}.${part}`);
  const origin = [get("x"), get("y"), table.has(`body.${figure.bodies[body].name}.z`) ? get("z") : 0];
  let turned;
  if (table.has(`body.${figure.bodies[body].name}.qw`)) {
    // p + 2 w (u x p) + 2 u x (u x p)
    const [w, u] = [get("qw"), [get("qx"), get("qy"), get("qz")]];
    const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    const once = cross(u, [x, y, z]);
    const twice = cross(u, once);
    turned = [x, y, z].map((p, k) => p + 2 * w * once[k] + 2 * twice[k]);
  } else {
    const [sine, cosine] = [Math.sin(get("angle")), Math.cos(get("angle"))];
    turned = [cosine * x - sine * y, sine * x + cosine * y, z];
  }
  return turned.map((p, k) => p + origin[k]);
}

// `count` indices spread over `length`, both ends among them.
export const spread = (length, count) => [...new Set(Array.from({ length: count }, (_, k) => Math.round((k * (length - 1)) / (count - 1))))];

// The four bytes of a pixel of a PNG, as the browser itself reads it.
export const pixels = (page, png) =>
  page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const pen = canvas.getContext("2d");
    pen.drawImage(picture, 0, 0);
    return { width: picture.width, height: picture.height, data: [...pen.getImageData(0, 0, picture.width, picture.height).data] };
  }, png.toString("base64"));
