import { InputError } from '../../../common/errors';
import { TRIMMED_KEPT_BYTES } from '../../../common/wire/ip/trimming';
import type { P4InfoIndex } from '../../../common/p4runtime/p4info';
import type { Surroundings } from '../routing/forwarding';
import { hopsTo, portsInUse } from '../routing/routes';
import { actionEntry, NO_STATE, sessionTo } from './role-parts';
import type { Role } from './role-parts';
import { HEADER_QUEUE } from './trim-role';

const TABLE = 'trim_session';
const ACTION = 'cut_when_full';

/** Sessions before it are those of reports, answers and notifications by default. */
const FIRST_SESSION = 103;
/** Those above merge packets on Tofino 1; Tofino 2 has as many as eight bits tell. */
const SESSION_MAX = 1015;

/** Bridge before the frame of a copy: `bridge_t` of p4src/tofino/blocks/hpcc-trim. */
const COPY_BYTES = 14;
const ETHERNET_AND_UDP_BYTES = 14 + 8;
const IPV4_BYTES = 20;
const IPV6_BYTES = 40;
const INT_FIXED_BYTES = 16;
const INT_HOP_BYTES = 32;

/**
 * Sessions by which the mirror of Tofino cuts: one for each port and length of a cut frame, into the queue of
 * headers. A frame has another length for each hop of telemetry that it comes with, and over IPv6.
 */
export const TRIM_SESSION_ROLE: Role = {
  // The section is TRIM_ROLE's: a program that counts its queues itself needs no session.
  requests: [],
  state: ({ network, spec, place, program }) => {
    if (network.trim === undefined || program.tables.find(TABLE) === undefined) return NO_STATE;
    const lengths = cutLengths(place);
    const cuts = place.ports.flatMap(({ port }) =>
      lengths.map((frameBytes) => ({ port, frameBytes })),
    );
    checkRoom(program, place, lengths.length);
    return {
      replication: cuts.map(({ port, frameBytes }, i) => ({
        ...sessionTo(spec, { cloneSession: FIRST_SESSION + i, port }, COPY_BYTES + frameBytes),
        classOfService: HEADER_QUEUE,
      })),
      entries: cuts.map(({ port, frameBytes }, i) =>
        actionEntry(TABLE, { port, frame_bytes: frameBytes }, ACTION, {
          session: FIRST_SESSION + i,
        }),
      ),
    };
  },
};

/** Lengths of cut frames: without INT, and behind as many switches as a packet can have passed before this one. */
function cutLengths({ topology, own }: Surroundings): readonly number[] {
  const ports = portsInUse(topology);
  const distances = topology.hosts.map(({ name }) => hopsTo(name, topology, ports).get(own.name));
  const hopsMax = Math.max(0, ...distances.map((distance = 1) => distance - 1));
  const telemetry = Array.from(
    { length: hopsMax + 1 },
    (_, hops) => INT_FIXED_BYTES + hops * INT_HOP_BYTES,
  );
  const hasIpv6 = topology.hosts.some(({ ipv6 }) => ipv6 !== undefined);
  return [IPV4_BYTES, ...(hasIpv6 ? [IPV6_BYTES] : [])].flatMap((ip) =>
    [0, ...telemetry].map((int) => ETHERNET_AND_UDP_BYTES + ip + int + TRIMMED_KEPT_BYTES),
  );
}

/** @throws InputError for more sessions than the chip has: some packets would be dropped in silence. */
function checkRoom(program: P4InfoIndex, { own, ports }: Surroundings, lengths: number): void {
  const { width = 0 } = program.actions.find(ACTION)?.parameters.find('session') ?? {};
  const room = Math.min(SESSION_MAX, 2 ** width - 1) - FIRST_SESSION + 1;
  if (ports.length * lengths <= room) return;
  throw new InputError(
    `trim: ${own.name} needs a mirror session for each of ${lengths} lengths at each of ${ports.length} ports, ` +
      `and its chip has ${room} left: expected fewer ports, IPv4 alone, or shorter paths`,
  );
}
