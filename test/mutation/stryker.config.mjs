// npm run mutation: changes the product in small ways, one at a time, and shows which change no test notices.
export default {
  mutate: [
    'controller/plan/**/*.ts',
    'emulator/kernel/**/*.ts',
    'host-agent/algorithm/**/*.ts',
    'host-agent/transport/**/*.ts',
    'switch/codegen/**/*.ts',
    'switch/tables/**/*.ts',
  ],
  // All mutants are compiled once; the one under test is chosen as the program runs.
  // By the packages of the tree that is copied: the copy gets its own after it has been built.
  buildCommand: 'node ../../../../node_modules/typescript-native/bin/tsc -p .',
  ignorePatterns: ['/build*', '/out', '/docs/images'],
  tempDirName: 'out/mutation/sandbox',
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner'],
  jest: {
    projectType: 'custom',
    configFile: 'test/mutation/jest.config.cjs',
    enableFindRelatedTests: false,
  },
  coverageAnalysis: 'perTest',
  // The first run, which also counts what covers what, takes more than twice as long as the others.
  timeoutFactor: 0.5,
  // Code that runs as a module is loaded, such as the entries of a table, would need every suite for each.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: 'out/mutation/incremental.json',
  reporters: ['progress', 'clear-text', 'html'],
  htmlReporter: { fileName: 'out/mutation/report.html' },
};
