// The Thrift compiler's JavaScript; the build shortens it (scripts/shorten-generated.mjs).
export * as Standard from './generated/Standard';
export * as SimplePreLag from './generated/SimplePreLAG';
export * as SimpleSwitch from './generated/SimpleSwitch';
export * as standardTypes from './generated/standard_types';
export * as multicastTypes from './generated/simple_pre_lag_types';
export * as simpleSwitchTypes from './generated/simple_switch_types';
