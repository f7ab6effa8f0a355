import { addEntryText, commandText, isPlainRequest } from '../../../switch/io/bmv2/command-text';
import { Bmv2CommandLine } from '../../../switch/io/bmv2/command-line';
import { Bmv2Dataplane } from '../../../switch/io/bmv2/dataplane';
import { startBmv2 } from '../../../switch/io/bmv2/process';
import { toHex } from '../hex';
import type { StfRequest } from '../../../switch/stf/run/requests';
import type { PortPacket } from '../../../switch/stf/run/requests';

/** Longer than bmv2 takes for any packet on a loaded machine; only failures wait so long. */
const DEADLINE_MS = 5000;
/** After the last packet: nothing more may come out for so long. */
const QUIET_MS = 300;

/** A packet and what the embedded switch sends for it. */
export interface ExpectedPacket {
  readonly packet: PortPacket;
  readonly outs: readonly PortPacket[];
}

/** Parameters of one comparison. */
export interface Lockstep {
  readonly json: string;
  readonly requests: readonly StfRequest[];
  readonly expected: readonly ExpectedPacket[];
  /** The text of packets that must be equal. */
  readonly comparable: (packet: PortPacket) => string;
}

/**
 * Sends packets through a bmv2 of its own, each after as many have come out for the one before as
 * are expected. A packet too few is noticed by the deadline, one too many with the packet behind it
 * or in the quiet period at the end, so no drop is waited for.
 * @param lockstep `json` is the path of the program.
 * @throws Error naming the first packet that differs, with both results.
 */
export async function compareWithBmv2(lockstep: Lockstep): Promise<void> {
  const bmv2 = await startBmv2(1, lockstep.json);
  try {
    await applyRequests(bmv2.thriftPort, lockstep.requests);
    const dataplane = new Bmv2Dataplane(bmv2.dataplane, bmv2.deviceId);
    try {
      await compareOutputs(dataplane, lockstep);
    } finally {
      dataplane.close();
    }
  } finally {
    await bmv2.stop();
  }
}

async function applyRequests(thriftPort: number, requests: readonly StfRequest[]): Promise<void> {
  if (requests.length === 0) return;
  const commands = new Bmv2CommandLine(thriftPort);
  const groups = new Map<string, number>();
  try {
    await commands.ready();
    for (const text of requests.flatMap((request) => commandTexts(request, groups))) {
      await commands.execute(text);
    }
  } finally {
    commands.close();
  }
}

/** @param groups the number of groups so far, by profile. */
function commandTexts(request: StfRequest, groups: Map<string, number>): string[] {
  if (isPlainRequest(request)) return [commandText(request)];
  if (request.kind === 'add-entry') return [addEntryText(request)];
  if (request.kind !== 'group-create') throw new Error(`no entries are made by ${request.kind}`);
  const { profile, members } = request;
  const group = groups.get(profile) ?? 0;
  groups.set(profile, group + 1);
  return [
    `act_prof_create_group ${profile}`,
    ...members.map((member) => `act_prof_add_member_to_group ${profile} ${member} ${group}`),
  ];
}

async function compareOutputs(dataplane: Bmv2Dataplane, lockstep: Lockstep): Promise<void> {
  const { expected, comparable } = lockstep;
  for (const [i, { packet, outs }] of expected.entries()) {
    dataplane.send(packet);
    const found = await receiveAll(dataplane, outs.length);
    const [wanted, real] = [outs, found].map((list) => texts(list, comparable));
    if (wanted !== real) {
      const what = `packet ${i} (${toHex(packet.bytes)} at port ${packet.port})`;
      throw new Error(`${what}:\nembedded ${String(wanted)}\nbmv2     ${String(real)}`);
    }
  }
  const surplus = await dataplane.receive(QUIET_MS);
  if (surplus === undefined) return;
  throw new Error(`after the last packet bmv2 sends one more: ${comparable(surplus)}`);
}

async function receiveAll(dataplane: Bmv2Dataplane, count: number): Promise<PortPacket[]> {
  const found: PortPacket[] = [];
  while (found.length < count) {
    const next = await dataplane.receive(DEADLINE_MS);
    if (next === undefined) break;
    found.push(next);
  }
  return found;
}

/** Packets in order at each port; between ports bmv2 has none, as its egress has threads. */
function texts(outs: readonly PortPacket[], comparable: Lockstep['comparable']): string {
  const byPort = [...outs].sort((a, b) => a.port - b.port);
  return byPort.length === 0 ? 'nothing' : byPort.map(comparable).join(', ');
}
