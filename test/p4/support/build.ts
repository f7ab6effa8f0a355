// Compiles the programs of test/p4/programs again: node build/test/p4/support/build.js
import { buildTestPrograms } from './test-programs';

void buildTestPrograms();
