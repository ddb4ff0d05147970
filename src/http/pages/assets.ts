/** The assets of the pages: stylesheets, scripts and images, served from the same origin (S64). */
import { createHash } from 'node:crypto';
import base from '../../web/design/base.css';
import components from '../../web/design/components.css';
import mark from '../../web/design/mark.svg';
import tokens from '../../web/design/tokens.css';
import pagesScript from '../../web/pages/pages.browser.js';
import pages from '../../web/pages/pages.css';

/** An asset and its media type. */
export interface Asset {
  readonly type: AssetType;
  readonly text: string;
}

/** The built playground: its page, and its assets by name. */
export interface PlaygroundFiles {
  readonly page: string;
  /** Names contain a digest of the content. */
  readonly assets: ReadonlyMap<string, Asset>;
}

export const ASSET_TYPES = ['text/css', 'text/javascript', 'image/svg+xml'] as const;

export type AssetType = (typeof ASSET_TYPES)[number];

/** The assets by name. */
const ASSETS = {
  'design.css': { type: 'text/css', text: `${tokens}\n${base}\n${components}` },
  'pages.css': { type: 'text/css', text: pages },
  'pages.js': { type: 'text/javascript', text: pagesScript },
  'mark.svg': { type: 'image/svg+xml', text: mark },
} as const satisfies Readonly<Record<string, Asset>>;

export type AssetName = keyof typeof ASSETS;

/** A digest of each asset, which its URL contains: browsers may cache a version forever. */
const VERSIONS = Object.fromEntries(
  Object.entries(ASSETS).map(([name, { text }]) => [name, versionOf(text)]),
) as Readonly<Record<AssetName, string>>;

/** The path of the assets. */
export const ASSETS_PATH = '/assets';

/** Returns the versioned URL of an asset. Never throws. */
export function assetUrl(name: AssetName): string {
  return `${ASSETS_PATH}/${name}?v=${VERSIONS[name]}`;
}

/** Finds an asset by name; `current` is whether the requested version is the current one. `undefined` for an unknown name. Never throws. */
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
