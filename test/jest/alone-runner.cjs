// Runs suites one after the other after all others, in the process of jest itself.
const net = require('node:net');
const { default: TestRunner } = require('jest-runner');

module.exports = class AloneRunner extends TestRunner {
  isSerial = true;

  async runTests(...args) {
    await checksEnded();
    return super.runTests(...args);
  }
};

/** `hpcc test` runs the linter beside other suites, and closes this descriptor when nothing more runs. */
function checksEnded() {
  const fd = process.env.HPCC_CHECKS_FD;
  if (fd === undefined) return Promise.resolve();
  delete process.env.HPCC_CHECKS_FD;
  return new Promise((resolve) => {
    new net.Socket({ fd: Number(fd), readable: true }).resume().once('close', resolve);
  });
}
