// Tests run on the compiler's output, so that what is tested is what is shipped.
const build = process.env.HPCC_BUILD ?? 'build';

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: [`<rootDir>/${build}/test`],
  testMatch: ['**/*.test.js'],
  testEnvironment: 'node',
  modulePathIgnorePatterns: [],
  // Servers and processes may start slowly on a busy machine. No test depends on the limit: it only
  // ends what hangs.
  testTimeout: 60_000,
  // A test that fails may leave a server behind; the run has to end and to say so nevertheless.
  forceExit: true,
};
