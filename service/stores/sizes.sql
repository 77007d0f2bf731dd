-- How much room the games of the file take: counted by triggers, in the transaction that changes it, by whichever statement.
-- GAME, ENTRY and BLOCK stand for the numbers in service.stores.room.
ALTER TABLE games ADD COLUMN made TEXT;  -- the key of the request that made it, whose answer is kept for as long as may be
CREATE TABLE sizes (
    game INTEGER PRIMARY KEY REFERENCES games (seq) ON DELETE CASCADE,
    owner TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    answers INTEGER NOT NULL                -- how many are kept
);
CREATE TABLE stored (owner TEXT PRIMARY KEY, blocks INTEGER NOT NULL) WITHOUT ROWID;

CREATE TRIGGER sizes_come AFTER INSERT ON sizes BEGIN
    INSERT INTO stored VALUES (new.owner, (new.bytes + BLOCK - 1) / BLOCK)
        ON CONFLICT (owner) DO UPDATE SET blocks = blocks + excluded.blocks;
END;
CREATE TRIGGER sizes_change AFTER UPDATE OF bytes ON sizes
WHEN (new.bytes + BLOCK - 1) / BLOCK != (old.bytes + BLOCK - 1) / BLOCK BEGIN
    UPDATE stored SET blocks = blocks + (new.bytes + BLOCK - 1) / BLOCK - (old.bytes + BLOCK - 1) / BLOCK
        WHERE owner = new.owner;
END;
CREATE TRIGGER sizes_go AFTER DELETE ON sizes BEGIN
    UPDATE stored SET blocks = blocks - (old.bytes + BLOCK - 1) / BLOCK WHERE owner = old.owner;
    DELETE FROM stored WHERE owner = old.owner AND blocks = 0;
END;

CREATE TRIGGER games_come AFTER INSERT ON games BEGIN
    INSERT INTO sizes VALUES (new.seq, new.owner, GAME + length(new.info) + length(new.blob), 0);
END;
CREATE TRIGGER games_change AFTER UPDATE OF info, blob ON games BEGIN
    UPDATE sizes SET bytes = bytes + length(new.info) + length(new.blob) - length(old.info) - length(old.blob)
        WHERE game = new.seq;
END;
CREATE TRIGGER events_come AFTER INSERT ON events BEGIN
    UPDATE sizes SET bytes = bytes + ENTRY + length(new.events) WHERE game = new.game;
END;
CREATE TRIGGER events_go AFTER DELETE ON events BEGIN
    UPDATE sizes SET bytes = bytes - ENTRY - length(old.events) WHERE game = old.game;
END;
CREATE TRIGGER requests_come AFTER INSERT ON requests BEGIN
    UPDATE sizes SET bytes = bytes + ENTRY + length(new.answer), answers = answers + 1 WHERE game = new.game;
END;
CREATE TRIGGER requests_change AFTER UPDATE OF answer ON requests BEGIN
    UPDATE sizes SET bytes = bytes + length(new.answer) - length(old.answer) WHERE game = new.game;
END;
CREATE TRIGGER requests_go AFTER DELETE ON requests BEGIN
    UPDATE sizes SET bytes = bytes - ENTRY - length(old.answer), answers = answers - 1 WHERE game = old.game;
END;

-- What is in a file of a former release.
INSERT INTO sizes SELECT seq, owner, GAME + length(info) + length(blob)
    + (SELECT coalesce(sum(ENTRY + length(events)), 0) FROM events WHERE game = seq)
    + (SELECT coalesce(sum(ENTRY + length(answer)), 0) FROM requests WHERE game = seq),
    (SELECT count(*) FROM requests WHERE game = seq) FROM games;
