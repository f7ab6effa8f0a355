// Jest's environment in the global object of the process itself, where jest would make one for each suite.
const os = require('node:os');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Of a processor that both want, suites beside others leave nine tenths to those that wait for live processes. */
const NICENESS = 10;

module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #console = console;
  #exit = process.exit;

  constructor({ projectConfig }) {
    const isWorker = process.send !== undefined;
    if (isWorker && projectConfig.displayName?.name === 'beside') os.setPriority(NICENESS);
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    // Jest wraps both for each suite.
    globalThis.console = this.#console;
    process.exit = this.#exit;
  }

  getVmContext() {
    return null;
  }
};
