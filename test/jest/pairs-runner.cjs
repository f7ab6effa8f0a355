// Runs suites two at a time after all that may run beside others.
const { default: TestRunner } = require('jest-runner');
const { checksEnded } = require('./checks-ended.cjs');

module.exports = class PairsRunner extends TestRunner {
  constructor(globalConfig, context) {
    super({ ...globalConfig, maxWorkers: Math.min(2, globalConfig.maxWorkers) }, context);
  }

  async runTests(...args) {
    await checksEnded();
    return super.runTests(...args);
  }
};
