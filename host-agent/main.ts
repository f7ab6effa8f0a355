export { ROCE_OPERATIONS } from './roce/roce-config';
export { FEEDBACK_KINDS, FRAMINGS, LOG_LEVELS, TRANSPORTS } from './io/agent-options';
export { runAgent } from './io/run-agent';
export type { AgentOptions, SendOptions } from './io/agent-options';
export type { AgentReport, AgentRun } from './io/run-agent';
export type { FlowInterval } from './traffic/traffic-report';
export { runTcpAgent } from './io/tcp/run-tcp-agent';
export type { TcpAgentOptions } from './io/tcp/tcp-agent-options';
export type { TcpAgentReport } from './io/tcp/run-tcp-agent';
