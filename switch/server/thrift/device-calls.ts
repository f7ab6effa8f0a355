import { createHash } from 'node:crypto';
import { InputError } from '../../../common/errors';
import { standardTypes } from '../../../common/thrift/generated-code';
import { int64 } from './int64';
import type { ServiceCalls } from './service-calls';
import type { ThriftTarget } from './target';

const { DeviceStatus, PortError, PortFailure, PortStatus, SwapError, SwapFailure } = standardTypes;

/** Interfaces and programs. `thriftPort` is where the services listen, for those who ask. */
export function deviceCalls(target: ThriftTarget, thriftPort: () => number): ServiceCalls {
  return { ...interfaceCalls(target), ...programCalls(target, thriftPort) };
}

function interfaceCalls({ interfaces }: ThriftTarget): ServiceCalls {
  return {
    bm_dev_mgr_show_ports: () =>
      interfaces
        .list()
        .map(
          ({ port, name, up }) =>
            new PortStatus({ port, interfaceName: name, isUp: up, details: {} }),
        ),
    bm_dev_mgr_add_port: (name: string, port: number, file: string): void => {
      if (file !== '') throw new PortFailure({ code: PortError.FAILED });
      try {
        interfaces.add(port, name);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        throw new PortFailure({ code: PortError.FAILED });
      }
    },
    bm_dev_mgr_remove_port: (port: number): void => {
      if (!interfaces.remove(port)) throw new PortFailure({ code: PortError.FAILED });
    },
  };
}

/**
 * bmv2 runs two programs side by side while it swaps; here the new one waits as text, and a swap is
 * one step between two packets. A program that came over P4Runtime stays, because its controller
 * knows it by a P4Info that fits no other.
 */
function programCalls(target: ThriftTarget, thriftPort: () => number): ServiceCalls {
  const { configuration, shared } = target;
  let next: string | undefined;
  // As bmv2 does before it has a program: its command line reads the answer as JSON.
  const programText = (): string => configuration.json() || '{}';
  const answers = new ProgramAnswers(programText);
  return {
    bm_mgmt_get_info: () =>
      new DeviceStatus({ deviceId: int64(target.deviceId), thriftPort: thriftPort() }),
    bm_get_config: () => answers.now().text,
    bm_get_config_md5: () => answers.now().digest,
    bm_load_new_config: async (json: string): Promise<void> => {
      if (shared.ownsProgram()) throw new SwapFailure({ code: SwapError.DISABLED });
      await configuration.verify(json);
      next = json;
    },
    bm_swap_configs: (): void => {
      if (shared.ownsProgram()) throw new SwapFailure({ code: SwapError.DISABLED });
      if (next === undefined) throw new SwapFailure({ code: SwapError.NOTHING_LOADED });
      configuration.load(next);
      next = undefined;
    },
    // Loading a program clears all state.
    bm_reset_state: (): void => {
      if (configuration.json() === '') return;
      configuration.load(configuration.json());
      shared.stateReset();
    },
  };
}

interface ProgramAnswer {
  /** The program as the protocol writes strings. */
  readonly text: Buffer;
  readonly digest: Buffer;
}

/**
 * Answers about a program that are made once for each. PERF: to encode and digest a program takes milliseconds, which
 * packets would wait for whenever somebody asks.
 */
class ProgramAnswers {
  #of: string | undefined;
  #answer: ProgramAnswer | undefined;

  constructor(private readonly text: () => string) {}

  now(): ProgramAnswer {
    const text = this.text();
    if (this.#answer !== undefined && this.#of === text) return this.#answer;
    this.#of = text;
    const bytes = Buffer.from(text);
    this.#answer = { text: bytes, digest: createHash('md5').update(bytes).digest() };
    return this.#answer;
  }
}
