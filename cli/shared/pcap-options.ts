import { InputError } from '../../common/errors';
import { didYouMean } from '../../common/nearest-word';
import { attachments } from '../../common/topology/topology';
import type { Topology } from '../../common/topology/topology';
import { parseWhole } from '../../common/units/number-text';
import { TraceFile } from '../../emulator/io/trace-file';
import { PortCapture } from '../../emulator/record/port-capture';
import type { OpenTrace } from './trace-options';

/** A port whose frames go to a file. */
export interface PortCaptureOption {
  readonly node: string;
  /** Undefined where none was given: all ports of a host. */
  readonly port: number | undefined;
  readonly file: string;
}

/** Adds `NODE:PORT=FILE` or `HOST=FILE` to those before it. @throws InputError for other forms. */
export function portCaptureOption(
  text: string,
  before: readonly PortCaptureOption[] = [],
): readonly PortCaptureOption[] {
  const [, node, portText, file] = /^([^:=]+)(?::([^=]*))?=(.+)$/.exec(text) ?? [];
  const port = portText === undefined ? undefined : parseWhole(portText);
  if (node === undefined || file === undefined || (portText !== undefined && port === undefined)) {
    throw new InputError(
      `--pcap takes NODE:PORT=FILE, such as s1:2=s1.pcap, and '${text}' was given`,
    );
  }
  if (before.some((other) => other.file === file)) {
    throw new InputError(`--pcap: wanted a file for each port, and ${file} was given twice`);
  }
  return [...before, { node, port, file }];
}

interface CaptureFlags {
  readonly pcap?: readonly PortCaptureOption[];
  readonly workers?: number;
}

/** @throws InputError for workers, and when the run begins for ports that its network has not. */
export function openCaptures({ pcap, workers = 1 }: CaptureFlags): OpenTrace | undefined {
  if (pcap === undefined) return undefined;
  if (workers > 1) {
    throw new InputError(
      '--pcap sees the whole network, of which a worker has a part: use --workers 1',
    );
  }
  const files: TraceFile[] = [];
  return {
    observer: ({ plan }) => {
      const ports = pcap.map(({ node, port, file }) => ({
        ...placeOf(plan.topology, node, port),
        file,
      }));
      return new PortCapture(
        ports.map(({ node, port, file }) => {
          const open = new TraceFile(file, Infinity);
          files.push(open);
          return { node, port, write: open.write };
        }),
      );
    },
    close: () => {
      for (const file of files) file.close();
    },
  };
}

function placeOf(topology: Topology, node: string, port: number | undefined) {
  const known = attachments(topology).get(node);
  if (known === undefined) {
    const names = [...topology.switches, ...topology.hosts].map(({ name }) => name);
    throw new InputError(
      `--pcap: no such node: ${node}${didYouMean(node, names)}; there are ${names.join(', ')}`,
    );
  }
  const ports = known.map((each) => each.port);
  const isHost = topology.hosts.some(({ name }) => name === node);
  if (
    isHost ? port === undefined || ports.includes(port) : port !== undefined && ports.includes(port)
  ) {
    return { node, port };
  }
  throw new InputError(
    `--pcap: wanted a port of ${node}, which has ${ports.join(', ')}, found ${port ?? 'none'}`,
  );
}
