// Jest's runtime on Node's own loader: the suites of one process share what they load, where jest would
// load every module anew for each of them.
const { default: Runtime } = require('jest-runtime');

/** Where jest-circus keeps who listens to its events. */
const CIRCUS_LISTENERS = Symbol.for('EVENT_HANDLERS');

module.exports = class NativeRuntime extends Runtime {
  /** Loads a suite. */
  requireModule(from) {
    globalThis.jest = this.jestGlobals.jestObjectFor(from);
    Reflect.deleteProperty(require.cache, from);
    return require(from);
  }

  /** Loads jest's test framework, which holds the tests of one suite: a new one for each. */
  requireInternalModule(from) {
    Reflect.deleteProperty(require.cache, from);
    Reflect.deleteProperty(globalThis, CIRCUS_LISTENERS);
    return require(from);
  }
};
