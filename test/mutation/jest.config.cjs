// The suites that judge the mutants of one folder, of folders.json. Stryker runs them in its copy of the tree.
const { projects, testTimeout } = require('../../jest.config.cjs');
const folders = require('./folders.json');

const { HPCC_MUTATED_FOLDER } = process.env;
const { tests, without = [] } = folders.find(({ folder }) => folder === HPCC_MUTATED_FOLDER);
const [{ rootDir, testEnvironment, transform, runtime }] = projects;
const folderOf = (start) => start.slice(0, start.lastIndexOf('/'));

/** @type {import('jest').Config} */
module.exports = {
  ...{ rootDir, testEnvironment, transform, runtime, testTimeout },
  setupFiles: ['<rootDir>/test/mutation/first-failure.cjs'],
  roots: [...new Set(tests.map((start) => `<rootDir>/build/test/${folderOf(start)}`))],
  testRegex: tests.map((start) => `/build/test/${start}.*\\.test\\.js$`),
  // Every survivor would run them: what only they notice counts as not noticed.
  testPathIgnorePatterns: without.map((start) => `/build/test/${start}`),
  runner: '<rootDir>/test/mutation/covering-suites.cjs',
  watchman: false,
};
