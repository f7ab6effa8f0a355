// Runs suites one after the other after all others, in the process of jest itself.
const { default: TestRunner } = require('jest-runner');

module.exports = class AloneRunner extends TestRunner {
  isSerial = true;
};
