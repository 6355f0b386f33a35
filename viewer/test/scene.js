// The helpers that the page gives to both stages, for tests without a page: a classic script that sets a global.

import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";

for (const name of ["scene.js", "scene-moment.js", "scene-pull.js", "scene-soft.js"]) {
  const path = new URL("../../crates/borelli/src/report/page/" + name, import.meta.url);
  runInThisContext(readFileSync(path, "utf8"), { filename: path.pathname });
}
