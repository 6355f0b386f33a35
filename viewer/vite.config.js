// One classic script for the page, and the licences of what is in it.
import { defineConfig } from "vite";

export default defineConfig({
  build: {
    lib: { entry: "src/main.js", formats: ["iife"], name: "borelliViewer", fileName: () => "viewer.js" },
    license: { fileName: "licenses.md" },
    // The folder holds a `.gitignore` that the program's build watches.
    emptyOutDir: false,
  },
});
