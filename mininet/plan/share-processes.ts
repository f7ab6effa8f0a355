import type { Programs } from './commands';
import type { Plan, PlanProcess } from './plan';
import { logged } from './run-processes';

/**
 * The process that switches and hosts share. A packet passes all of them in one turn of it; two processes
 * would wake each other, and what each gathers would be a burst for the other one.
 */
const ALL = 'all-nodes';
/** More switches than these fill one processor before links are full: then hosts have another one. */
const SWITCHES_WITH_HOSTS_MAX = 8;
/** Commands that can share a process. */
const SHARING = ['switch', 'agent', 'send'];

type Processes = Pick<Plan, 'switches' | 'services' | 'timeline'>;

/** Puts what `hpcc` runs into one process, or into one for all switches and one for all hosts. */
export function shareProcesses(
  plan: Processes,
  programs: Programs,
): Processes & Pick<Plan, 'groups'> {
  if (programs.separate) return { ...plan, groups: [] };
  const used = new Set<string>();
  const isSmall = plan.switches.length <= SWITCHES_WITH_HOSTS_MAX;
  const groupOf = (word: string): string =>
    isSmall ? ALL : word === 'switch' ? 'all-switches' : 'all-hosts';
  const share = (own: PlanProcess): PlanProcess => {
    const { hpcc } = programs;
    const isOurs = hpcc.every((word, i) => own.argv[i] === word);
    const argv = own.argv.slice(hpcc.length);
    const [word = ''] = argv;
    if (!isOurs || !SHARING.includes(word) || argv.includes('--user')) return own;
    const group = groupOf(word);
    used.add(group);
    return { ...own, argv, group };
  };
  const shared: Processes = {
    switches: plan.switches.map((each) => ({ ...each, process: share(each.process) })),
    services: plan.services.map((each) => share(each)),
    timeline: plan.timeline.map((event) =>
      event.action === 'start' ? { ...event, process: share(event.process) } : event,
    ),
  };
  // The only process in real time leaves a processor to its helpers; several would starve theirs.
  const isOnly = isSmall && programs.kind === 'embedded';
  const command = ['group', '--commands', ...(isOnly ? ['--before-helpers'] : [])];
  const groups = [...used].map((name) => logged(name, [...programs.hpcc, ...command]));
  return { groups, ...shared };
}
