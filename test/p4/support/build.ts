// Compiles the programs of test/p4 again: node build/test/p4/support/build.js
import { buildPrimitivePrograms } from './primitive-programs';
import { buildTestPrograms } from './test-programs';
import { buildModels } from './tofino-models';

void buildTestPrograms().then(buildPrimitivePrograms).then(buildModels);
