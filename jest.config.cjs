const os = require('node:os');
const alone = require('./test/jest/alone.cjs');

// Tests run on the compiler's output, so that what is tested is what is shipped.
const build = process.env.HPCC_BUILD ?? 'build';

const shared = {
  rootDir: __dirname,
  roots: [`<rootDir>/${build}/test`],
  testMatch: ['**/*.test.js'],
  testEnvironment: '<rootDir>/test/jest/plain-global.cjs',
  runtime: '<rootDir>/test/jest/shared-scripts.cjs',
  transform: { '\\.js$': '<rootDir>/test/jest/source-lines.cjs' },
};

const escaped = (text) => text.replaceAll('.', '\\.');
const aloneSuites = alone.map((suite) => `/${build}/test/${escaped(suite)}`);

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    { ...shared, displayName: 'beside', testPathIgnorePatterns: aloneSuites },
    {
      ...shared,
      displayName: 'alone',
      testRegex: aloneSuites.map((start) => `${start}(.*\\.test)?\\.js$`),
      testMatch: undefined,
      runner: '<rootDir>/test/jest/alone-runner.cjs',
    },
  ],
  testSequencer: '<rootDir>/test/jest/alone-last.cjs',
  // One more than there are cores: some suites wait for bmv2 or p4c most of the time.
  maxWorkers: os.availableParallelism() + 1,
  // A busy machine may be four times as slow as an idle one. No test depends on the limit: it only ends
  // what hangs.
  testTimeout: 240_000,
};
