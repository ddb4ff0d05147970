/**
 * Stops with one sentence on a Node older than `engines` of package.json. The build puts it, with that version as a literal, before
 * the commands. In ES5, and with no import, so that every Node can parse it.
 */
// biome-ignore-all lint/complexity/useArrowFunction: ES5
// biome-ignore-all lint/suspicious/noVar: ES5
'use strict';
var required = require('../package.json').engines.node;

var requiredParts = required.replace('>=', '').split('.').map(Number);
var parts = process.versions.node.split('.').map(Number);
if (parts[0] < requiredParts[0] || (parts[0] === requiredParts[0] && parts[1] < requiredParts[1])) {
  process.stderr.write(
    'proviso requires Node ' +
      requiredParts.join('.') +
      ' or newer; this is Node ' +
      process.versions.node +
      '.\n',
  );
  process.exit(1);
}
