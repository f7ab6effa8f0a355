import * as fs from 'node:fs';
import { InputError } from '../../common/errors';
import { generatedExecutors } from '../../switch/codegen/generated-executor';
import { EmbeddedTarget } from '../../switch/stf/embedded/embedded-target';
import { readOutline } from '../../switch/stf/run/outline';
import { runStf } from '../../switch/stf/run/run-stf';
import { parseStf } from '../../switch/stf/text/parse-stf';
import type { Device } from './device';

/** Ports of a device that runs in the embedded switch. */
export interface EmbeddedPorts {
  readonly in: number;
  readonly out: number;
  readonly collector: number | undefined;
}

/**
 * A P4 program in the embedded switch, in virtual time.
 * @param setUp file of STF statements that fill its tables.
 * @throws InputError where program or statements cannot be read or are refused.
 */
export function embeddedDevice(
  program: string,
  setUp: string | undefined,
  ports: EmbeddedPorts,
): Device {
  const json = textOf(program);
  const target = new EmbeddedTarget(json, generatedExecutors());
  if (setUp !== undefined) {
    const verdict = runStf(parseStf(textOf(setUp), setUp), readOutline(json), target);
    if (verdict.kind === 'fail') {
      const { line, message } = verdict.difference;
      throw new InputError(`${setUp}:${line}: ${message}`);
    }
  }
  const { virtual } = target;
  virtual.settle();
  virtual.sent.length = 0;
  return {
    exchange: (sent) => {
      target.perform({ kind: 'send', packet: { port: ports.in, bytes: sent } });
      virtual.settle();
      // What has come out is taken away: captures may be long.
      const fresh = virtual.sent.splice(0);
      const at = (wanted: number): Uint8Array[] =>
        fresh.flatMap(({ port, bytes }) => (port === wanted ? [bytes] : []));
      const { out, collector } = ports;
      return Promise.resolve({
        sent,
        returned: at(out),
        ...(collector !== undefined && { reports: at(collector) }),
      });
    },
    close: () => undefined,
  };
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch (error) {
    throw new InputError(`cannot read ${file}: ${(error as Error).message}`);
  }
}
