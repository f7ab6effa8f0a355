import type { Programs } from './commands';
import type { Plan, PlanProcess } from './plan';
import { logged } from './run-processes';

/** The processes that switches share, and that hosts share. */
const SWITCHES = 'all-switches';
const HOSTS = 'all-hosts';
/** What can share a process. */
const SHARING = ['switch', 'agent', 'send'];

type Processes = Pick<Plan, 'switches' | 'services' | 'timeline'>;

/** Puts what `hpcc` runs into one process for all switches and one for all hosts. */
export function shareProcesses(
  plan: Processes,
  programs: Programs,
): Processes & Pick<Plan, 'groups'> {
  if (programs.separate) return { ...plan, groups: [] };
  const used = new Set<string>();
  const share = (own: PlanProcess, group: string): PlanProcess => {
    const { hpcc } = programs;
    const isOurs = hpcc.every((word, i) => own.argv[i] === word);
    const argv = own.argv.slice(hpcc.length);
    if (!isOurs || !SHARING.includes(argv[0] ?? '') || argv.includes('--user')) return own;
    used.add(group);
    return { ...own, argv, group };
  };
  const shared: Processes = {
    switches: plan.switches.map((each) => ({ ...each, process: share(each.process, SWITCHES) })),
    services: plan.services.map((each) => share(each, HOSTS)),
    timeline: plan.timeline.map((event) =>
      event.action === 'start' ? { ...event, process: share(event.process, HOSTS) } : event,
    ),
  };
  const groups = [...used].map((name) => logged(name, [...programs.hpcc, 'group', '--commands']));
  return { groups, ...shared };
}
