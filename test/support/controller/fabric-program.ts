import * as fs from 'node:fs';
import * as path from 'node:path';
import { repositoryRoot } from '../../../common/io/repository';
import { parseP4Info } from '../../../common/p4runtime/load-p4info';
import { loadedProgram } from '../../../controller/io/program-files';
import type { LoadedProgram } from '../../../controller/io/program-files';

/** Files of a small program with the tables that the controller fills. */
export const FABRIC_FILES = {
  p4info: path.join(repositoryRoot(), 'test/fixtures/controller/fabric.p4info.txtpb'),
  config: path.join(repositoryRoot(), 'test/fixtures/controller/fabric.json'),
};

/** That program, loaded. */
export const fabricProgram: LoadedProgram = loadedProgram('fabric', {
  p4info: parseP4Info(fs.readFileSync(FABRIC_FILES.p4info), 'text'),
  deviceConfig: Uint8Array.from(fs.readFileSync(FABRIC_FILES.config)),
});

/** Finds it under any name. */
export const FABRIC_PROGRAMS = { load: () => Promise.resolve(fabricProgram) };
