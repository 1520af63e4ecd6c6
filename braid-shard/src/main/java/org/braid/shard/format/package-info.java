/**
 * The format of shards on disk: sets, names, headers, cells and checksums.
 *
 * <p>Encoding a local file gives a <em>set</em> of n shard files, one for each block of the code.
 * The file is cut into stripes of k data cells, and each stripe gets n - k parity cells. Shard b
 * holds cell b of every stripe, each followed by its checksum. Loss and repair work on cells: a
 * stripe can be decoded from shards that are damaged in other stripes.
 *
 * <p>Shards are named {@code NAME.BB.shard}: NAME is the file's name, BB the block with at least
 * two digits. A name of more than 200 bytes is cut and ends in {@code ~} and eight digits of its
 * SHA-256, so that two files do not share names. A code with racks has a directory for each rack:
 * {@code rackR/NAME.BB.shard}. Only people need the names. The header says what a shard is, so
 * shards may be renamed and moved between sub-directories.
 *
 * <h2>Layout of a shard file, version 1</h2>
 *
 * <p>All numbers are big-endian.
 *
 * <table>
 * <caption>Header, H = 132 + c + f + 4n bytes</caption>
 * <tr><th>at</th><th>bytes</th><th>what</th></tr>
 * <tr><td>0</td><td>8</td><td>magic: 89 42 52 53 48 0D 0A 1A</td></tr>
 * <tr><td>8</td><td>2</td><td>version, 1</td></tr>
 * <tr><td>10</td><td>2</td><td>zero</td></tr>
 * <tr><td>12</td><td>4</td><td>H, bytes of the header</td></tr>
 * <tr><td>16</td><td>4</td><td>CRC-32C of the H bytes of the header, these four taken as
 *     zero</td></tr>
 * <tr><td>20</td><td>16</td><td>set id, random, the same in all shards of one encoding</td></tr>
 * <tr><td>36</td><td>4</td><td>block of this shard, 0..n-1</td></tr>
 * <tr><td>40</td><td>4</td><td>n, blocks of the code</td></tr>
 * <tr><td>44</td><td>4</td><td>k, data blocks of the code</td></tr>
 * <tr><td>48</td><td>4</td><td>alpha, sub-blocks of a block</td></tr>
 * <tr><td>52</td><td>4</td><td>u, bytes of a full cell, a multiple of alpha</td></tr>
 * <tr><td>56</td><td>8</td><td>bytes of the file</td></tr>
 * <tr><td>64</td><td>32</td><td>SHA-256 of the file</td></tr>
 * <tr><td>96</td><td>32</td><td>digest of the code's matrix, see {@link
 *     org.braid.code.Codes#digest}</td></tr>
 * <tr><td>128</td><td>2</td><td>c, bytes of the code's name</td></tr>
 * <tr><td>130</td><td>2</td><td>f, bytes of the file's name</td></tr>
 * <tr><td>132</td><td>c</td><td>the code's name, UTF-8</td></tr>
 * <tr><td>132+c</td><td>f</td><td>the file's name without directories, UTF-8</td></tr>
 * <tr><td>132+c+f</td><td>4n</td><td>a seal for each shard of the set: CRC-32C of the checksums of
 *     its cells, one after the other</td></tr>
 * </table>
 *
 * <table>
 * <caption>Body, from H on, for each stripe s = 0, 1, ... of the file</caption>
 * <tr><th>bytes</th><th>what</th></tr>
 * <tr><td>u(s)</td><td>the cell: sub-block j in bytes j u(s) / alpha and on</td></tr>
 * <tr><td>4</td><td>CRC-32C of the set id, the block (4 bytes), s (8 bytes) and the cell</td></tr>
 * </table>
 *
 * <p>A stripe holds k u bytes of the file. The last stripe holds the r bytes that are left: its
 * cells have u(s) = alpha ceil(r / (k alpha)) bytes, padded with zeros. An empty file has no
 * stripe, and its shards are headers alone. The first 20 bytes are the same in all versions, so
 * that a reader can tell an unknown version from a damaged header.
 *
 * <p>The header is written last, because it contains checksums of the whole file and of the cells;
 * the file is read only once. The seals verify a rebuilt shard without the file, so that a repair
 * reads a local group alone.
 */
@NullMarked
package org.braid.shard.format;

import org.jspecify.annotations.NullMarked;
