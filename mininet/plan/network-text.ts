import { readYaml } from '../../common/document/yaml-text';
import { InputError } from '../../common/errors';
import { parseNetwork } from '../../controller/document/load';
import { networkSpec } from '../../controller/document/network';
import type { NetworkSpec } from '../../controller/document/network';
import type { NetworkText } from '../../controller/document/schema';
import type { SourceText } from '../experiment/load-experiment';
import { substitute } from '../experiment/parameters';
import type { ParameterValues } from '../experiment/parameters';
import type { SwitchKind } from '../experiment/switch-kinds';

/** A topology with all values in their places, and with where its switches will listen. */
export interface ExpandedNetwork {
  readonly spec: NetworkSpec;
  /** The document for the controller. */
  readonly text: NetworkText;
}

export interface NetworkChoice {
  readonly kind: SwitchKind;
  /** Bytes of the frames in which bmv2 counts queues and rates. */
  readonly frameBytes: number;
}

/** A run has a network namespace for itself, so these ports are free. */
const P4RUNTIME_PORT = 50001;
const THRIFT_PORT = 9091;

/** Units of the embedded switch, which bmv2 cannot have. */
export const EMBEDDED_CLOCK_NS = 1;
export const EMBEDDED_CELL_BYTES = 64;

/**
 * Makes the controller's document of a topology's text.
 * @throws InputError naming file and line of what is wrong.
 */
export function expandNetwork(
  source: SourceText,
  values: ParameterValues,
  choice: NetworkChoice,
): ExpandedNetwork {
  const written = substitute(source.text, source.file, values);
  parseNetwork(written, source.file);
  const raw = readYaml(written, source.file).value as NetworkText;
  const switches = raw.switches.map((own, i) => ({
    ...own,
    ...unitsOf(choice),
    target: choice.kind,
    address: `127.0.0.1:${P4RUNTIME_PORT + i}`,
    thrift: `127.0.0.1:${THRIFT_PORT + i}`,
  }));
  const text = { ...raw, switches };
  const spec = networkSpec(parseNetwork(JSON.stringify(text), source.file));
  if (spec.topology.hosts.length < 2) {
    throw new InputError(`${source.file}: wanted two hosts or more`);
  }
  return { spec, text };
}

function unitsOf({ kind, frameBytes }: NetworkChoice): object {
  if (kind === 'bmv2') return { packetBytes: frameBytes };
  return { clockUnitNs: EMBEDDED_CLOCK_NS, queueUnitBytes: EMBEDDED_CELL_BYTES };
}
