/** Builds a base image from the Node and npm of this machine, for machines that cannot reach an image registry. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const IMAGE = 'localhost/proviso-base';
/** Programs that the build of the service's image (`deploy/Containerfile`) runs, besides Node. */
const PROGRAMS = ['sh', 'env', 'mkdir'];
/** Parts of the C library that native modules of packages load. */
const LIBRARIES = ['librt.so.1', 'libresolv.so.2', 'libutil.so.1'];
/** Certificates of certificate authorities, for npm. Not copied if the machine has no such file. */
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';
const CONTAINERFILE = `FROM scratch
COPY root /
ENV PATH=/usr/bin NODE_EXTRA_CA_CERTS=${CERTIFICATES}
`;

/**
 * Builds the image. Linux with the GNU C library only.
 *
 * @param builder - `podman` or `buildah`.
 * @returns The name of the image.
 */
export function buildLocalBase(builder: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-base-'));
  try {
    const root = join(folder, 'root');
    for (const path of ['usr/bin', 'usr/lib64', 'usr/lib', 'tmp'])
      mkdirSync(join(root, path), { recursive: true });
    for (const name of ['bin', 'lib', 'lib64']) symlinkSync(`usr/${name}`, join(root, name));
    const programs = [process.execPath, ...PROGRAMS.map(findProgram)];
    for (const program of programs) copyFile(realpathSync(program), join(root, 'usr/bin', basename(program)));
    const libraries = programs.flatMap(listLibraries);
    const cLibrary = libraries.find((path) => basename(path) === 'libc.so.6') ?? '';
    const others = LIBRARIES.map((name) => join(dirname(cLibrary), name)).filter(existsSync);
    for (const library of new Set([...libraries, ...others])) copyFile(library, join(root, library));
    if (existsSync(CERTIFICATES)) copyFile(CERTIFICATES, join(root, CERTIFICATES));
    const npm = dirname(dirname(realpathSync(findProgram('npm'))));
    cpSync(npm, join(root, 'usr/lib/node_modules/npm'), { recursive: true });
    symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
    writeFileSync(join(folder, 'Containerfile'), CONTAINERFILE);
    execFileSync(builder, ['build', '-t', IMAGE, folder], { stdio: ['ignore', 'ignore', 'inherit'] });
    return IMAGE;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function findProgram(name: string): string {
  return execFileSync('sh', ['-c', 'command -v "$0"', name], { encoding: 'utf8' }).trim();
}

/** Lists the shared libraries of a program, with the loader. */
function listLibraries(program: string): readonly string[] {
  return execFileSync('ldd', [program], { encoding: 'utf8' }).match(/\/\S+/g) ?? [];
}

/** Copies a file, and follows links. */
function copyFile(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to, { dereference: true, errorOnExist: false });
}
