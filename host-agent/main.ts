export { LOG_LEVELS, TRANSPORTS } from './io/agent-options';
export { runAgent } from './io/run-agent';
export type { AgentOptions, SendOptions } from './io/agent-options';
export type { AgentReport, AgentRun } from './io/run-agent';
export type { FlowInterval } from './traffic/traffic-report';
