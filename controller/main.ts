import * as fs from 'node:fs/promises';
import { InputError } from '../common/errors';
import { p4InfoFormatOf, parseP4Info } from '../common/p4runtime/load-p4info';
import type { Topology } from '../common/topology/topology';
import { setUpNetwork } from './p4runtime/set-up';
import type { Pipeline } from './p4runtime/pipeline';
import type { ConfiguredSwitch } from './p4runtime/set-up';

export interface ApplyOptions {
  readonly topology: Topology;
  readonly pipeline: Pipeline;
  /** P4Runtime addresses by switch name; those of the topology unless given. */
  readonly addresses?: ReadonlyMap<string, string>;
  /** Defaults to 1: the first controller of a network. */
  readonly electionId?: bigint;
  /** How long to wait for each connection and call, in ms; 5000 unless given. */
  readonly deadline?: number;
  /** Defaults to 0. */
  readonly ecmpSeed?: number;
}

/**
 * Sets up all switches of a topology with a compiled program.
 * @returns the switches; whoever has them closes their clients.
 * @throws InputError for a topology that makes no sense, unreachable switches and refused updates.
 */
export async function applyTopology(options: ApplyOptions): Promise<readonly ConfiguredSwitch[]> {
  return setUpNetwork({ electionId: 1n, deadline: 5000, ecmpSeed: 0, ...options });
}

/** The pipeline of a program that p4c has compiled: BMv2 JSON, and P4Info in its JSON form. */
export function compiledPipeline(program: {
  readonly deviceConfig: string;
  readonly p4info: string;
}): Pipeline {
  return {
    p4info: parseP4Info(Buffer.from(program.p4info), 'json'),
    deviceConfig: Uint8Array.from(Buffer.from(program.deviceConfig)),
  };
}

/**
 * Reads P4Info, in the form that its suffix tells, and BMv2 JSON.
 * @throws InputError naming the file.
 */
export async function loadPipeline(
  p4infoFile: string,
  deviceConfigFile: string,
): Promise<Pipeline> {
  const [content, deviceConfig] = [await readFile(p4infoFile), await readFile(deviceConfigFile)];
  try {
    return { p4info: parseP4Info(content, p4InfoFormatOf(p4infoFile)), deviceConfig };
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${p4infoFile}: ${error.message}`);
    throw error;
  }
}

async function readFile(name: string): Promise<Uint8Array> {
  try {
    return Uint8Array.from(await fs.readFile(name));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InputError(`cannot read ${name}: ${code ?? String(error)}`);
  }
}
