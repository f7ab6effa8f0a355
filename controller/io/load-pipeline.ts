import * as fs from 'node:fs/promises';
import { InputError } from '../../common/errors';
import { p4InfoFormatOf, parseP4Info } from '../../common/p4runtime/load-p4info';
import type { Pipeline } from '../p4runtime/requests/pipeline';

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
