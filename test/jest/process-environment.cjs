// Jest's environment in the global object of the process itself, where jest would make one for each suite.
const os = require('node:os');
const v8 = require('node:v8');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Of a processor that both want, suites beside others leave nine tenths to those that wait for live processes. */
const NICENESS = 10;

/**
 * Flags of the engine by what a suite is for. PERF: those of one file call much code a few times, and optimising it
 * takes longer than it saves: a tenth of their processor time. Runs of scenarios go on for seconds; they keep V8's limit.
 */
const OF_UNITS = '--interrupt-budget=600000';
const OF_OTHERS = '--interrupt-budget=67584';

module.exports = class ProcessEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  #console = console;
  #exit = process.exit;

  constructor({ projectConfig }, { testPath }) {
    v8.setFlagsFromString(testPath.includes('/test/unit/') ? OF_UNITS : OF_OTHERS);
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
