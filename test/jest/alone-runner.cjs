// Runs suites one after the other after all others, in the process of jest itself.
const { default: TestRunner } = require('jest-runner');
const { checksEnded } = require('./checks-ended.cjs');

module.exports = class AloneRunner extends TestRunner {
  isSerial = true;

  async runTests(...args) {
    await checksEnded();
    return super.runTests(...args);
  }
};
