const alone = require('./test/jest/alone.cjs');

// Tests run on the compiler's output, so that what is tested is what is shipped.
const build = process.env.HPCC_BUILD ?? 'build';

const shared = {
  rootDir: __dirname,
  roots: [`<rootDir>/${build}/test`],
  testMatch: ['**/*.test.js'],
  testEnvironment: 'node',
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
  maxWorkers: '100%',
  // Servers and processes may start slowly on a busy machine. No test depends on the limit: it only
  // ends what hangs.
  testTimeout: 60_000,
};
