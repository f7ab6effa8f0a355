// Runs three kinds of suites at the same time: those beside others on all processors, those in pairs, and after
// these, one by one, those that are alone. Processes of the last two go first: whatever runs beside them has the
// time that they leave while they wait.
const { default: TestRunner } = require('jest-runner');

/**
 * Options of the engine for processes that run suites; jest gives them those of this one. PERF: there are more such
 * processes than processors, so threads that collect garbage beside them only cost, and with room for what is young
 * less of it is copied: a twentieth less processor time where scenarios run. Suites call much code a few times, and
 * optimising it takes longer than it saves: with nine times V8's limit a tenth less, and no more in long scenarios.
 */
const ENGINE = [
  '--single-threaded-gc',
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--interrupt-budget=600000',
];
process.execArgv.push(...ENGINE);

module.exports = class LanesRunner {
  supportsEventEmitters = true;
  #beside;
  #pairs;
  #alone;
  #isOneAtATime;

  constructor(globalConfig, context) {
    const lane = (maxWorkers) => new TestRunner({ ...globalConfig, maxWorkers }, context);
    this.#beside = lane(globalConfig.maxWorkers);
    this.#pairs = lane(Math.min(2, globalConfig.maxWorkers));
    this.#alone = lane(1);
    this.#isOneAtATime = globalConfig.maxWorkers === 1;
  }

  async runTests(tests, watcher, options) {
    if (options.serial) return this.#beside.runTests(tests, watcher, options);
    const run = (lane, name) => {
      const those = tests.filter(({ context }) => context.config.displayName?.name === name);
      return those.length === 0 ? undefined : lane.runTests(those, watcher, options);
    };
    const beside = run(this.#beside, 'beside');
    if (this.#isOneAtATime) await beside;
    await run(this.#pairs, 'pairs');
    await run(this.#alone, 'alone');
    await beside;
  }

  on(event, listener) {
    const ends = [this.#beside, this.#pairs, this.#alone].map((lane) => lane.on(event, listener));
    return () => {
      for (const end of ends) end();
    };
  }
};
