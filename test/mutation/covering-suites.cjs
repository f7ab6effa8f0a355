// Loads only the suites that have a test to run, the fast ones first, until one of them fails. Stryker
// asks for tests by name, and jest by itself would load every suite for every mutant to find them, and go
// on after a failure.
const fs = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');

const LEARNT = 'out/mutation/suites.json';

module.exports = class CoveringSuites extends TestRunner {
  #pattern;
  #learnt;
  #suites = {};
  #hasFailed = false;

  constructor(globalConfig, context) {
    super(globalConfig, context);
    this.#pattern = globalConfig.testNamePattern;
    this.#learnt = path.join(globalConfig.rootDir, LEARNT);
    this.on('test-file-success', ([{ path: file }, { testResults, perfStats, ...rest }]) => {
      this.#hasFailed ||= rest.numFailingTests > 0;
      const names = testResults.map(({ fullName }) => fullName);
      this.#suites[file] = { names, milliseconds: perfStats.end - perfStats.start };
    });
  }

  async runTests(tests, watcher, options) {
    if (this.#pattern) {
      for (const test of this.#covering(tests)) {
        if (!this.#hasFailed) await super.runTests([test], watcher, options);
      }
      return;
    }
    await super.runTests(tests, watcher, options);
    fs.mkdirSync(path.dirname(this.#learnt), { recursive: true });
    fs.writeFileSync(this.#learnt, JSON.stringify(this.#suites));
  }

  #covering(tests) {
    if (!fs.existsSync(this.#learnt)) return tests;
    const suites = JSON.parse(fs.readFileSync(this.#learnt, 'utf8'));
    const wanted = new RegExp(this.#pattern, 'i');
    const time = (test) => suites[test.path]?.milliseconds ?? 0;
    return tests
      .filter(({ path: file }) => suites[file]?.names.some((name) => wanted.test(name)) ?? true)
      .sort((a, b) => time(a) - time(b));
  }
};
