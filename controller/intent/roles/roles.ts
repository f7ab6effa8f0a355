import { coordinationState } from './coordination-role';
import { csigState } from './csig-role';
import { edgeState } from './edge-role';
import { queueClassState } from './queue-classes';
import { queueShareState } from './queue-shares';
import type { RoleContext, RoleState } from './role-parts';
import { PS_PER_NS } from '../../../common/units/units';
import { actionEntry, defaultEntry, EGRESS_PORT, sessionTo, INGRESS_PORT } from './role-parts';
import { keyArguments } from './signing-key';
import type { SigningDocument } from '../../document/signing';
import type { DefaultEntry } from '../../entities/table-entry';

/** State of the parts of telemetry that the switch's program has tables for. */
export function roleEntries(context: RoleContext): RoleState {
  const states = [
    edgeState,
    feedbackState,
    insertionState,
    queueClassState,
    queueShareState,
    digestState,
    ioamState,
    csigState,
    coordinationState,
  ].map((each) => each(context));
  return {
    replication: states.flatMap((each) => each.replication),
    entries: states.flatMap((each) => each.entries),
  };
}

/** Of a copy that becomes an answer: what stands before a packet, what is read of it, a frame check sequence. */
const ANSWER_COPY_BYTES = 32 + 58 + 4;

/** Fast feedback: at every port, answers to subscribers while its queue is long. */
function feedbackState({ network, place, spec, program }: RoleContext): RoleState {
  const { feedback } = network.telemetry;
  const table = program.tables.find('feedback_threshold');
  if (feedback === undefined || table === undefined) return { replication: [], entries: [] };
  const values = {
    queue_bytes: feedback.queueBytes,
    interval_ns: Math.round(feedback.interval / PS_PER_NS),
    clone_session: feedback.cloneSession,
    response_dscp: feedback.responseDscp,
    to_receiver: feedback.toReceiver ? 1 : 0,
  };
  const entries = place.ports.map(({ port }) =>
    actionEntry(table.name, { [EGRESS_PORT]: port }, 'respond_above', values),
  );
  return {
    replication: [sessionTo(spec, feedback, ANSWER_COPY_BYTES)],
    entries: [...entries, ...answerKey(feedback.signing, { spec, program })],
  };
}

/** What answers are signed with. */
function answerKey(
  signing: SigningDocument | undefined,
  { spec, program }: Pick<RoleContext, 'spec' | 'program'>,
): readonly DefaultEntry[] {
  const table = program.tables.find('answer_key');
  if (signing === undefined || table === undefined) return [];
  const { boot } = signing;
  return [defaultEntry(table.name, 'number', { ...keyArguments(signing, spec), boot })];
}

/** Telemetry in fewer packets than ask: at every port, from which queue on and how often. */
function insertionState({ network, place, program }: RoleContext): RoleState {
  const { insertion } = network.telemetry;
  const table = program.tables.find('insertion');
  if (insertion === undefined || table === undefined) return { replication: [], entries: [] };
  const values = {
    queue_bytes: insertion.queueBytes,
    interval_ns: Math.round(insertion.interval / PS_PER_NS),
  };
  const entries = place.ports.map(({ port }) =>
    actionEntry(table.name, { [EGRESS_PORT]: port }, 'insert_when', values),
  );
  return { replication: [], entries };
}

/** PINT: at every port, T and what its link holds in that time, as reciprocals. */
function digestState({ network, place, program }: RoleContext): RoleState {
  const { digest } = network.telemetry;
  const table = program.tables.find('load_scale');
  if (digest === undefined || table === undefined) return { replication: [], entries: [] };
  const ns = Math.max(1, Math.round(digest.baseRtt / PS_PER_NS));
  const inverse = (unit: number, of: number) => Math.min(WORD_MAX, Math.round(unit / of));
  const entries = place.ports.map(({ port, link }) =>
    actionEntry(table.name, { [EGRESS_PORT]: port }, 'set_scale', {
      rtt_ns: ns,
      rtt_inverse: inverse(2 ** 32, ns),
      bdp_inverse: inverse(2 ** 40, (link.rate * ns) / 8e9),
    }),
  );
  return { replication: [], entries };
}

const WORD_MAX = 0xffff_ffff;

/** What a node adds that has no data of a namespace (RFC 9197, section 4.4.2). */
const NO_DATA = 0xffff_ffff;
const NO_WIDE_DATA = 0xffff_ffff_ffff_ffffn;

/**
 * IOAM transit: the namespaces that the network knows, and the ports where IOAM may come in, which
 * are all that lead somewhere and are trusted.
 */
function ioamState({ network, place, spec, program }: RoleContext): RoleState {
  const { namespaces } = network.telemetry.ioam;
  const [known, interfaces] = ['namespaces', 'interface'].map((name) => program.tables.find(name));
  if (namespaces.length === 0 || known === undefined || interfaces === undefined) {
    return { replication: [], entries: [] };
  }
  const untrusted = new Set(
    spec.document.ports.filter((each) => each.untrusted).map(({ port }) => port),
  );
  const open = place.ports.filter(({ port }) => !untrusted.has(port));
  return {
    replication: [],
    entries: [
      ...namespaces.map(({ id, hpcc, data, wideData }) =>
        actionEntry(known.name, { namespace_id: id }, 'set_namespace', {
          is_hpcc: hpcc ? 1 : 0,
          data: data ?? NO_DATA,
          wide_data: wideData ?? NO_WIDE_DATA,
        }),
      ),
      ...open.map(({ port }) =>
        actionEntry(interfaces.name, { [INGRESS_PORT]: port }, 'enable', {}),
      ),
    ],
  };
}
