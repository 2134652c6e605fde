// Checks a folder that was exported from a log, with the code of Go's checksum database alone.
// Usage: check <folder> <verifier key> [checkpoint that was kept earlier]...
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

func check(holds bool, format string, args ...any) {
	if !holds {
		fmt.Printf(format+"\n", args...)
		os.Exit(1)
	}
}

func must(err error, what string) { check(err == nil, "%s: %v", what, err) }

func read(file string) []byte {
	data, err := os.ReadFile(file)
	must(err, "file")
	return data
}

func open(file string, key note.Verifier) tlog.Tree {
	opened, err := note.Open(read(file), note.VerifierList(key))
	must(err, "signature")
	lines := strings.Split(opened.Text, "\n")
	check(len(lines) == 4 && lines[0] == key.Name(), "origin: the checkpoint is malformed or of another log")
	size, noSize := strconv.ParseInt(lines[1], 10, 64)
	root, noRoot := tlog.ParseHash(lines[2])
	check(noSize == nil && noRoot == nil, "checkpoint: it has no size or no root")
	return tlog.Tree{N: size, Hash: root}
}

type tiles string

func (folder tiles) Height() int                     { return 8 }
func (folder tiles) SaveTiles([]tlog.Tile, [][]byte) {}
func (folder tiles) ReadTiles(wanted []tlog.Tile) (found [][]byte, err error) {
	for _, tile := range wanted {
		found = append(found, read(string(folder)+strings.TrimPrefix(tile.Path(), "tile/8")))
	}
	return found, nil
}

func main() {
	folder := os.Args[1]
	key, err := note.NewVerifier(os.Args[2])
	must(err, "key")
	tree := open(filepath.Join(folder, "checkpoint"), key)
	reader := tlog.TileHashReader(tree, tiles(filepath.Join(folder, "tile")))
	file, err := os.Open(filepath.Join(folder, "entries.jsonl"))
	must(err, "entries")
	lines := bufio.NewScanner(file) // An entry has at most 64 KiB.
	lines.Buffer(nil, 1<<17)
	indexes := make([]int64, tree.N)
	for leaf := range indexes {
		indexes[leaf] = tlog.StoredHashIndex(0, int64(leaf))
	}
	hashes, err := reader.ReadHashes(indexes) // Each of them is checked against the root.
	must(err, "tiles")
	count, texts := int64(0), 0
	for ; lines.Scan(); count++ {
		check(count < tree.N, "entries: more than %d", tree.N)
		if count%(1+tree.N/500) == 0 || count == tree.N-1 { // A proof of every leaf would take minutes.
			proof, err := tlog.ProveRecord(tree.N, count, reader)
			must(err, "tiles")
			must(tlog.CheckRecord(proof, tree.N, tree.Hash, count, hashes[count]), "leaf")
		}
		if lines.Text() == "null" { // Its text was removed, its leaf is there.
			continue
		}
		texts++
		check(tlog.RecordHash(lines.Bytes()) == hashes[count], "entry %d: its text is not that of its leaf", count)
		entry := struct{ Digest string }{}
		must(json.Unmarshal(lines.Bytes(), &entry), "entry")
		if block, err := os.ReadFile(filepath.Join(folder, "blocks", entry.Digest)); entry.Digest != "" && err == nil {
			check(fmt.Sprintf("%x", sha256.Sum256(block)) == entry.Digest, "entry %d: the block is another", count)
		}
	}
	check(count == tree.N, "entries: %d of %d", count, tree.N)
	for _, kept := range os.Args[3:] {
		old := open(kept, key)
		check(old.N <= tree.N, "history: the log had %d leaves", old.N)
		proof, err := tlog.ProveTree(tree.N, old.N, reader)
		must(err, "tiles")
		must(tlog.CheckTree(proof, tree.N, tree.Hash, old.N, old.Hash), "history")
	}
	fmt.Printf("%d leaves, %d texts, root %s\n", tree.N, texts, tree.Hash)
}
