import { isSameArtifact, p4cVersion } from '../../common/io/p4-compiler';
import { describeIf } from '../support/requires';
import { sampled } from '../support/sampled';
import {
  allTests,
  committedArtifact,
  compileTestProgram,
  programOf,
  readManifest,
  sourceDigest,
  testPrograms,
  testsOf,
} from './support/test-programs';
import {
  committedModel,
  compileModel,
  modelDigest,
  readModelManifest,
  TOFINO_MODELS,
} from './support/tofino-models';

describe('the committed artefacts of the test programs', () => {
  test('were made from the present sources, of each program', () => {
    const present = Object.fromEntries(testPrograms().map((name) => [name, sourceDigest(name)]));
    expect(readManifest().sourcesSha256).toEqual(present);
  });

  test('name the compiler that made them', () => {
    expect(readManifest().p4c).toMatch(/^1\.2\.\d+/);
  });

  test('each have at least one STF test', () => {
    expect(testPrograms().filter((program) => testsOf(program).length === 0)).toEqual([]);
  });

  test('exist for every STF test', () => {
    const programs = new Set(testPrograms());
    expect(allTests().filter((name) => !programs.has(programOf(name)))).toEqual([]);
  });
});

describe('the committed artefacts of the models of programs for Tofino', () => {
  test('were made from the present sources, of each model', () => {
    const present = TOFINO_MODELS.map((model) => [model.name, modelDigest(model)]);
    expect(readModelManifest().sourcesSha256).toEqual(Object.fromEntries(present));
  });

  test('name the compiler that made them', () => {
    expect(readModelManifest().p4c).toMatch(/^1\.2\.\d+/);
  });
});

/** Generous: a loaded machine is slow to compile. */
const COMPILE_MS = 240_000;

const version = p4cVersion();
describeIf(version !== undefined, 'p4c on PATH', 'p4c-bm2-ss is not on PATH', () => {
  const again = async (program: string): Promise<void> => {
    const isComparable = readManifest().p4c === version;
    for (const [name, text] of await compileTestProgram(program)) {
      // Another version may order or name things otherwise: then only the program must compile.
      if (!isComparable) continue;
      const isSame = isSameArtifact(name, text, committedArtifact(name));
      expect(isSame ? name : `${name} differs`).toBe(name);
    }
  };
  test.concurrent.each(sampled('test programs are not compiled again', testPrograms(), 8))(
    'makes the committed artefacts of %s again',
    again,
    COMPILE_MS,
  );

  test.concurrent.each(sampled('models are not compiled again', TOFINO_MODELS, 8))(
    'makes the committed artefacts of $name again',
    async (model) => {
      const isComparable = readModelManifest().p4c === version;
      for (const [name, text] of await compileModel(model)) {
        if (!isComparable) continue;
        const isSame = isSameArtifact(name, text, committedModel(name));
        expect(isSame ? name : `${name} differs`).toBe(name);
      }
    },
    COMPILE_MS,
  );
});
