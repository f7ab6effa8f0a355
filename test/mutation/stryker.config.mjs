import * as path from 'node:path';

const root = path.join(import.meta.dirname, '..', '..');
const folder = process.env.HPCC_MUTATED_FOLDER;
const results = `out/mutation/${folder.replaceAll('/', '-')}`;

export default {
  mutate: [`${folder}/**/*.ts`],
  // All mutants are compiled once; the one under test is chosen as the program runs.
  buildCommand: `node ${path.join(root, 'node_modules/typescript-native/bin/tsc')} -p .`,
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
  // What runs as a module is loaded, such as the entries of a table, would need every suite for each.
  ignoreStatic: true,
  incremental: true,
  incrementalFile: `${results}.incremental.json`,
  reporters: ['progress', 'json', 'html'],
  jsonReporter: { fileName: `${results}.json` },
  htmlReporter: { fileName: `${results}.html` },
};
