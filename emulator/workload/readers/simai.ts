import { InputError } from '../../../common/errors';
import type { Operation } from '../collectives/collective';
import { TASKS_MAX } from '../tasks/trace';
import type { TraceInput } from '../tasks/trace';
import { headOf, onlyFile, refuseBytes, textOf, wholeNumber } from './reader';
import type { TraceReader } from './reader';
import { ParallelGroups } from './parallel-groups';

/** Policies that are read, by the word at the beginning of the file. */
const POLICIES = ['HYBRID_TRANSFORMER_FWD_IN_BCKWD', 'HYBRID_TRANSFORMER'];
const OTHER_POLICIES =
  /^\s*(DATA|MODEL|MICRO|HYBRID_\w+|TRANSFORMER|DISTRIBUTED_INFERENCE)\b[^\n]*\n\s*\d+\s*\n/;

const OPERATION_OF: Readonly<Record<string, Operation>> = {
  ALLREDUCE: 'all-reduce',
  ALLGATHER: 'all-gather',
  REDUCESCATTER: 'reduce-scatter',
  ALLTOALL: 'all-to-all',
};

/** Shorter messages are sent as these, as SimAI does. */
const FORWARD_BYTES_MIN = 4096;
const NS_PER_US = 1000;
const COLUMNS = 12;

/**
 * SimAI's description of a step of training: a line of layers, each with computations and collectives of the forward
 * pass, of gradients of inputs, and of gradients of weights.
 */
export const SIMAI: TraceReader = {
  format: 'SimAI workload',
  recognises: (files) => {
    const [file] = files;
    if (file === undefined) return false;
    const head = headOf(file);
    return (
      POLICIES.some((policy) => head.trimStart().startsWith(policy)) || OTHER_POLICIES.test(head)
    );
  },
  read: (files, options) => {
    const file = onlyFile(files, 'a SimAI workload');
    refuseBytes(options, file);
    const lines = textOf(file)
      .split('\n')
      .map((text, i) => ({ words: text.trim().split(/\s+/), where: `${file.name}:${i + 1}` }))
      .filter(({ words }) => words[0] !== '');
    const [head, count, ...rest] = lines;
    if (head === undefined || count === undefined)
      throw new InputError(`${file.name}: wanted layers`);
    const header = headerOf(head.words, head.where);
    const announced = wholeNumber(count.words[0], count.where);
    if (rest.length < announced) {
      throw new InputError(
        `${file.name}: ${announced} layers are announced, ${rest.length} follow`,
      );
    }
    const layers = rest.slice(0, announced).map(({ words, where }) => layerOf(words, where));
    const trace = stepOf(header, layers, file.name);
    const warnings = [
      ...(rest.length > announced
        ? [
            `${file.name}: ${rest.length - announced} lines behind the ${announced} announced layers are left out`,
          ]
        : []),
      ...(header.pipelineBytes > 0
        ? [`${file.name}: messages between stages of the pipeline (pp_comm) are left out`]
        : []),
    ];
    return { trace, warnings };
  },
};

interface Header {
  readonly tensor: number;
  readonly expert: number;
  readonly pipeline: number;
  readonly all: number;
  readonly pipelineBytes: number;
}

function headerOf([policy = '', ...words]: readonly string[], where: string): Header {
  if (!POLICIES.includes(policy)) {
    throw new InputError(`${where}: wanted ${POLICIES.join(' or ')}, found ${policy}`);
  }
  const value = (key: string, fallback?: number): number => {
    const at = words.findIndex((word) => word.replace(/:$/, '') === key);
    if (at === -1 && fallback !== undefined) return fallback;
    return wholeNumber(words[at + 1], `${where}: ${key}`);
  };
  if (value('checkpoints', 0) > 0) {
    throw new InputError(
      `${where}: checkpoints, which compute forward passes again, are not offered`,
    );
  }
  const [tensor, expert, pipeline] = [
    value('model_parallel_NPU_group'),
    value('ep', 1),
    value('pp', 1),
  ];
  return { tensor, expert, pipeline, all: value('all_gpus'), pipelineBytes: value('pp_comm', 0) };
}

interface Phase {
  readonly computeUs: number;
  readonly what: string;
  readonly bytes: number;
}

interface Layer {
  readonly name: string;
  readonly where: string;
  readonly forward: Phase;
  readonly inputs: Phase;
  readonly weights: Phase;
}

function layerOf(words: readonly string[], where: string): Layer {
  if (words.length < COLUMNS) {
    throw new InputError(`${where}: wanted ${COLUMNS} columns of a layer, found ${words.length}`);
  }
  const phase = (at: number): Phase => ({
    computeUs: wholeNumber(words[at], where) / NS_PER_US,
    what: words[at + 1] ?? '',
    bytes: wholeNumber(words[at + 2], where),
  });
  const forward = phase(2);
  const bytes = forward.bytes === 0 ? 0 : Math.max(forward.bytes, FORWARD_BYTES_MIN);
  return {
    name: words[0] ?? '',
    where,
    forward: { ...forward, bytes },
    inputs: phase(5),
    weights: phase(8),
  };
}

/** Collectives of weights go on while the next layer computes; the others hold their rank up. */
function stepOf(header: Header, layers: readonly Layer[], file: string): TraceInput {
  const groups = new ParallelGroups(header, file);
  const phases = [
    ...layers.map((layer) => ({
      layer,
      phase: layer.forward,
      label: 'forward',
      group: 'TP',
      holds: true,
    })),
    ...layers.toReversed().flatMap((layer) => [
      { layer, phase: layer.inputs, label: 'input gradient', group: 'TP', holds: true },
      { layer, phase: layer.weights, label: 'weight gradient', group: 'DP', holds: false },
    ]),
  ];
  if (header.all * phases.length * 2 > TASKS_MAX) {
    throw new InputError(
      `${file}: ${layers.length} layers on ${header.all} ranks are more than ${TASKS_MAX} tasks`,
    );
  }
  const tasks: TraceInput['tasks'] = [];
  for (let rank = 0; rank < header.all; rank++) {
    let before: number[] = [];
    phases.forEach(({ layer, phase, label, group, holds }, i) => {
      const name = `${label} of ${layer.name} (${i + 1})`;
      tasks.push({ do: 'compute', rank, name, us: phase.computeUs, after: before });
      before = [tasks.length - 1];
      const found = collectiveOf(phase, layer.where, group);
      if (found === undefined) return;
      const members = groups.nameFor(found.group, rank);
      if (members === undefined) return;
      const { operation } = found;
      const { bytes } = phase;
      tasks.push({ do: 'collective', rank, name, operation, bytes, group: members, after: before });
      if (holds) before = [tasks.length - 1];
    });
  }
  return { ranks: header.all, groups: groups.groups, tasks };
}

/** `ALLREDUCE_DP_EP`: operation and group; the group of the phase unless one is named. */
function collectiveOf(
  { what, bytes }: Phase,
  where: string,
  group: string,
): { operation: Operation; group: string } | undefined {
  if (what === 'NONE' || bytes === 0) return undefined;
  const [, name = '', suffix] = /^([A-Z]+?)(?:_(DP_EP|TP|DP|EP))?$/.exec(what) ?? [];
  const operation = OPERATION_OF[name];
  if (operation === undefined) throw new InputError(`${where}: there is no collective ${what}`);
  return { operation, group: suffix ?? group };
}
