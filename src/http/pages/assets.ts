/** What pages are made of beside their markup: stylesheets, scripts, drawings, from this origin alone (S64). */
import { createHash } from 'node:crypto';
import base from '../../web/design/base.css';
import components from '../../web/design/components.css';
import mark from '../../web/design/mark.svg';
import tokens from '../../web/design/tokens.css';
import pagesScript from '../../web/pages/pages.browser.js';
import pages from '../../web/pages/pages.css';

/** A file that browsers fetch, with its media type. */
export interface Asset {
  readonly type: AssetType;
  readonly text: string;
}

/** The playground as it was built: its page, and by their names the files that the page asks for. */
export interface PlaygroundFiles {
  readonly page: string;
  /** Names hold a digest of what is in them. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export const ASSET_TYPES = ['text/css', 'text/javascript', 'image/svg+xml'] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

/** By the name under which each is served. */
const ASSETS = {
  'design.css': { type: 'text/css', text: `${tokens}\n${base}\n${components}` },
  'pages.css': { type: 'text/css', text: pages },
  'pages.js': { type: 'text/javascript', text: pagesScript },
  'mark.svg': { type: 'image/svg+xml', text: mark },
} as const satisfies Readonly<Record<string, Asset>>;

export type AssetName = keyof typeof ASSETS;

/** A name that changes with what it names: browsers may keep it for good. */
const VERSIONS = Object.fromEntries(
  Object.entries(ASSETS).map(([name, { text }]) => [name, versionOf(text)]),
) as Readonly<Record<AssetName, string>>;

/** Where assets stand. */
export const ASSETS_PATH = '/assets';

/** The path under which a page asks for an asset. Never throws. */
export function assetUrl(name: AssetName): string {
  return `${ASSETS_PATH}/${name}?v=${VERSIONS[name]}`;
}

/** The asset of a name, and whether the version asked for is the one there is; `undefined` where there is none. Never throws. */
export function findAsset(
  name: string,
  version: string | undefined,
): (Asset & { readonly current: boolean }) | undefined {
  if (!isAssetName(name)) return undefined;
  return { ...ASSETS[name], current: version === VERSIONS[name] };
}

function isAssetName(name: string): name is AssetName {
  return Object.hasOwn(ASSETS, name);
}

function versionOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
