const os = require('node:os');
const { alone, inPairs } = require('./test/jest/alone.cjs');

// Tests run on the compiler's output, so that what is tested is what is shipped.
const build = process.env.HPCC_BUILD ?? 'build';

const shared = {
  rootDir: __dirname,
  roots: [`<rootDir>/${build}/test`],
  testMatch: ['**/*.test.js'],
  // The suites of a process share its global object and what they have loaded.
  testEnvironment: '<rootDir>/test/jest/process-environment.cjs',
  runtime: '<rootDir>/test/jest/native-runtime.cjs',
  runner: '<rootDir>/test/jest/lanes-runner.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/jest/tried-again.cjs'],
  transform: {},
};

const escaped = (text) => text.replaceAll('.', '\\.');
const placesOf = (suites) => suites.map((suite) => `/${build}/test/${escaped(suite)}`);
const regexOf = (suites) => placesOf(suites).map((start) => `${start}(.*\\.test)?\\.js$`);

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'beside',
      testPathIgnorePatterns: placesOf([...inPairs, ...alone]),
    },
    {
      ...shared,
      displayName: 'pairs',
      testMatch: undefined,
      testRegex: regexOf(inPairs),
    },
    {
      ...shared,
      displayName: 'alone',
      testMatch: undefined,
      testRegex: regexOf(alone),
      testPathIgnorePatterns: placesOf(inPairs),
    },
  ],
  testSequencer: '<rootDir>/test/jest/longest-first.cjs',
  // One more than there are cores: some suites wait for bmv2 or p4c most of the time.
  maxWorkers: os.availableParallelism() + 1,
  workerIdleMemoryLimit: '1GB',
  // A busy machine may be four times as slow as an idle one. No test depends on the limit: it only ends
  // what hangs.
  testTimeout: 240_000,
};
