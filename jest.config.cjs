// Tests run on the compiler's output, so that what is tested is what is shipped.
const build = process.env.HPCC_BUILD ?? 'build';

/** @type {import('jest').Config} */
module.exports = {
  rootDir: __dirname,
  roots: [`<rootDir>/${build}/test`],
  testMatch: ['**/*.test.js'],
  testEnvironment: 'node',
  modulePathIgnorePatterns: [],
};
