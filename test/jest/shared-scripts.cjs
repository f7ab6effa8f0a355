// Jest's runtime, with every file compiled once in a process instead of once in every suite. A suite
// still runs each file anew in a context of its own; what suites share is what the compiler made of the
// text. Compiling zod, the messages of P4Runtime and jest's own parts again took a tenth of most suites.
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** By file: the text it was compiled from, and the script. As many as there are files that suites load. */
const compiled = new Map();

module.exports = {
  __esModule: true,
  default: class SharedScriptsRuntime extends Runtime {
    constructor(...args) {
      super(...args);
      const { executor } = this;
      const compileAnew = executor.compile.bind(executor);
      executor.compile = (text, file) => {
        const context = executor.environment.getVmContext();
        if (context === null) return null;
        const parameters = executor.injectedModuleParameters.join(',');
        let known = compiled.get(file);
        if (known?.text !== text || known.parameters !== parameters) {
          const script = scriptOf(text, parameters, file);
          // Jest says best what is wrong with a file, and what a core module is called.
          if (script === undefined) return compileAnew(text, file);
          known = { text, parameters, script };
          compiled.set(file, known);
        }
        return known.script.runInContext(context);
      };
    }
  },
};

function scriptOf(text, parameters, filename) {
  // Jest's own answer to `import()` belongs to one suite.
  if (/\bimport\s*\(/.test(text)) return undefined;
  const opening = `(function(${parameters}){`;
  try {
    // The text begins in the first line and column, where its source map has it.
    return new vm.Script(`${opening}${text}\n})`, { filename, columnOffset: -opening.length });
  } catch {
    return undefined;
  }
}
