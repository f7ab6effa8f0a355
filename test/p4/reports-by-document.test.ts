import { applyDocument } from '../../controller/io/apply-network';
import type { NetworkText } from '../../controller/document/schema';
import { parseTelemetryReport } from '../../common/wire/int/telemetry-report';
import { WireFault } from '../../common/wire/fault';
import { startBmv2Target } from '../conformance/bmv2-target';
import { startEmbedded } from '../conformance/embedded-target';
import type { P4RuntimeTarget } from '../conformance/p4runtime-target';
import { bmv2Available } from '../support/bmv2-process';
import { describeIf } from '../support/requires';
import { frameOf } from './support/int-v2-packet';
import type { PlainPacket } from './support/int-v2-packet';

/**
 * Packets through a switch that the controller has set up from a document: it watches all of UDP and TCP, ends
 * telemetry at port 2, and is on the way of reports to the collector at port 3.
 */
const COLLECTOR_PORT = 4791;
const MS = 60_000;

const DOCUMENTS: Readonly<Record<string, NonNullable<NetworkText['telemetry']>>> = {
  'hpcc-edge': {
    watch: [{ switch: 's1' }],
    collector: { host: 'h3', port: COLLECTOR_PORT },
  },
  'int-v2': {
    collector: { host: 'h3', port: COLLECTOR_PORT },
    int: {
      reports: { queue: { bytes: 0 } },
      sources: [{ switch: 's1', mode: 'xd', instructions: ['interfaces'] }],
    },
  },
};

const documentOf = (program: string, address: string): NetworkText => ({
  program,
  telemetry: DOCUMENTS[program] ?? {},
  switches: [{ name: 's1', address }],
  hosts: [
    { name: 'h1', ipv4: '10.1.0.1' },
    { name: 'h2', ipv4: '10.0.0.2', telemetry: false },
    { name: 'h3', ipv4: '10.0.0.3' },
  ],
  links: [1, 2, 3].map((port) => ({ between: [`h${port}`, `s1:${port}`], rate: '100 Mb/s' })),
});

const packet = (kind: 'udp' | 'tcp', destination: 2 | 3): Uint8Array => {
  const plain: PlainPacket = {
    family: 4,
    kind,
    dscp: 5,
    source: 1,
    optionWords: 0,
    hasChecksum: true,
    greFields: [false, false, false],
    payload: new Uint8Array(24),
  };
  return frameOf(plain, { ttl: 64, destination });
};

const INT_DSCP = 0x17;
const REPORT_AT = 42;
/** Sources of reports are 10.255.x.y. */
const isReport = (frame: Uint8Array): boolean => frame[26] === 10 && frame[27] === 255;

/** Port, protocol and host of a packet that left, and what it is: `3 report F of tcp to 2`. */
function described(text: string): string {
  const [port, hex = ''] = text.split(' ');
  const frame = Uint8Array.from(Buffer.from(hex, 'hex'));
  const named = (ip: Uint8Array): string => `${ip[9] === 17 ? 'udp' : 'tcp'} to ${ip[19]}`;
  if (!isReport(frame)) {
    const int = (frame[15] ?? 0) >> 2 === INT_DSCP ? ' with INT' : '';
    return `${port} ${named(frame.subarray(14))}${int}`;
  }
  const parsed = parseTelemetryReport(frame, REPORT_AT);
  if (parsed instanceof WireFault) throw new Error(parsed.toString());
  return parsed.reports
    .map(({ trackedFlow, congestedQueue, inner }) => {
      const flags = `${trackedFlow ? 'F' : ''}${congestedQueue ? 'Q' : ''}`;
      return `${port} report ${flags} of ${named(inner)}`;
    })
    .join();
}

/** A report to the collector, between packets that are watched, to either port. */
const SENT = [packet('udp', 2), packet('udp', 3), packet('tcp', 2), packet('tcp', 3)];
const LEFT: Readonly<Record<string, readonly string[]>> = {
  'hpcc-edge': [
    '2 tcp to 2',
    '2 udp to 2',
    '3 report F of tcp to 2',
    '3 report F of udp to 2',
    '3 tcp to 3 with INT',
    '3 udp to 3',
  ],
  'int-v2': [
    '2 tcp to 2',
    '2 udp to 2',
    '3 report FQ of tcp to 2',
    '3 report FQ of tcp to 3',
    '3 report FQ of udp to 2',
    '3 tcp to 3',
    '3 udp to 3',
  ],
};

function reportsOnly(start: () => Promise<P4RuntimeTarget>): void {
  test.each(Object.keys(DOCUMENTS))(
    '%s reports packets of flows once, and no report',
    async (program) => {
      const target = await start();
      try {
        await applyDocument(documentOf(program, target.address), MS);
        for (const bytes of SENT) target.dataplane.send(1, bytes);
        const wanted = LEFT[program] ?? [];
        const found = await target.dataplane.sent(wanted.length);
        expect(found.map(described).sort()).toEqual(wanted);
      } finally {
        await target.stop();
      }
    },
    MS,
  );
}

describe('the embedded switch', () => reportsOnly(() => startEmbedded()));

describeIf(bmv2Available(), 'bmv2', 'simple_switch_grpc is not on PATH', () =>
  reportsOnly(startBmv2Target),
);
