//! Mate problems and captures.

use super::*;

const THREE: &str = "7k1/9/6+R2/9/9/9/9/9/9 b Sr2b4g3s4n4l18p 1";

fn solved(host: &mut Host, sfen: &str) -> Value {
    host.result(json!({"kind": "solve-mate", "at": {"sfen": sfen}}))
}

/// The first mined problem of this many plies.
pub(super) fn problem(host: &mut Host, plies: u64) -> String {
    let list = host.answer(json!({"kind": "collections"}));
    let problems = list["collections"][0]["problems"].as_array().unwrap().clone();
    let entry = problems.iter().find(|entry| entry["length"] == plies).unwrap();
    let ask = json!({"kind": "problem", "collection": "mined", "problem": entry["id"]});
    host.answer(ask)["position"]["sfen"].as_str().unwrap().to_string()
}

#[test]
fn a_mate_is_proven_walked_checked_and_written() {
    let mut host = Host::new();
    let sfen = problem(&mut host, 5);
    let event = solved(&mut host, &sfen);
    assert_eq!((&event["verdict"], &event["length"]), (&json!("mate"), &json!(5)));
    assert_eq!((&event["exact"], &event["verified"]), (&json!(true), &json!(true)));
    assert!(event["proofNodes"].as_u64().unwrap() > 3);
    let line = texts(&event["line"], "usi");
    // Down the tree: the attacker has one move, the defender's longest comes first.
    let mut path: Vec<String> = Vec::new();
    for left in (0..=5_u64).rev() {
        let node = host.answer(json!({"kind": "mate-node", "moves": path}));
        let children = node["children"].as_array().unwrap();
        assert_eq!(node["length"], left);
        assert_eq!(node["attacker"], left % 2 == 1);
        assert_eq!(children.is_empty(), left == 0);
        let lengths: Vec<u64> =
            children.iter().map(|child| child["length"].as_u64().unwrap()).collect();
        assert!(lengths.is_sorted_by(|a, b| a >= b));
        if let Some(child) = children.first() {
            path.push(child["move"]["usi"].as_str().unwrap().to_string());
        }
    }
    assert_eq!(path.len(), line.len());
    let checked = host.result(json!({"kind": "verify-mate"}));
    assert_eq!(checked["verified"], true, "{checked}");
    let proof = host.answer(json!({"kind": "write-mate", "format": "proof"}));
    assert!(proof["text"].as_str().unwrap().contains("yomikiri-mate-proof"));
    let kif = host.answer(json!({"kind": "write-mate", "format": "kifu"}));
    assert!(kif["text"].as_str().unwrap().contains("手数"));
    let fault = host.fault(json!({"kind": "mate-node", "moves": ["9i9z"]}));
    assert_eq!(fault["code"], "illegal-move");
}

#[test]
fn a_composition_is_judged_and_its_faults_lead_to_positions() {
    let mut host = Host::new();
    // Two golds mate beside the one that is meant, and one of them may stand elsewhere.
    let sfen = "4k4/9/4P4/9/9/9/9/9/9 b 2G2r2b2g4s4n4l17p 1";
    let ask = json!({"kind": "judge", "at": {"sfen": sfen}, "nodes": 400_000});
    let verdict = host.result(ask);
    assert_eq!(verdict["kind"], "judgement");
    assert_eq!(verdict["facts"]["plies"], verdict["line"].as_array().unwrap().len());
    for fault in verdict["faults"].as_array().unwrap() {
        let Some(usi) = fault["move"]["usi"].as_str() else { continue };
        let at = json!({"sfen": fault["sfen"], "moves": [usi]});
        host.answer(json!({"kind": "position", "at": at}));
        let ply = fault["ply"].as_u64().unwrap() as usize;
        let mut moves = texts(&verdict["line"], "usi");
        moves.truncate(ply - 1);
        moves.push(usi.to_string());
        host.answer(json!({"kind": "position", "at": {"sfen": sfen, "moves": moves}}));
    }
    let sound = problem(&mut host, 5);
    let ask = json!({"kind": "judge", "at": {"sfen": sound}, "nodes": 2_000_000});
    let ruling = host.result(ask)["ruling"].clone();
    assert!(ruling == "sound" || ruling == "faulty", "{ruling}");
    let none = "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1";
    let verdict = host.result(json!({"kind": "judge", "at": {"sfen": none}}));
    assert_eq!(verdict["ruling"], "no-mate");
    assert_eq!(verdict["faults"][0]["kind"], "no-mate");
}

#[test]
fn the_proof_mates_whatever_the_user_defends() {
    let mut host = Host::new();
    let sfen = problem(&mut host, 7);
    solved(&mut host, &sfen);
    let mut random = fastrand::Rng::with_seed(3);
    for _ in 0..10 {
        let hint = host.answer(json!({"kind": "mate-hint", "moves": []}));
        let mut moves = vec![hint["move"]["usi"].as_str().unwrap().to_string()];
        loop {
            let at = json!({"sfen": sfen, "moves": moves});
            let legal = host.answer(json!({"kind": "position", "at": at}));
            let legal = texts(&legal["legal"], "usi");
            if legal.is_empty() {
                break;
            }
            let mv = &legal[random.usize(..legal.len())];
            let ask = json!({"kind": "mate-play", "moves": moves, "move": mv});
            let reply = host.result(ask);
            assert!(reply["reply"].is_object(), "{reply}");
            moves = serde_json::from_value(reply["moves"].clone()).unwrap();
            assert!(moves.len() <= 40);
            if reply["verdict"] == "solved" {
                break;
            }
        }
        assert!(moves.len() % 2 == 1, "the attacker moves last: {moves:?}");
    }
}

#[test]
fn a_wrong_attack_is_refuted_and_the_right_one_goes_on() {
    let mut host = Host::new();
    let event = solved(&mut host, "8k/9/6+R2/9/9/9/9/9/9 b Sr2b4g3s4n4l18p 1");
    assert_eq!(event["verdict"], "mate", "{event}");
    let right = texts(&event["line"], "usi");
    let reply = host.result(json!({"kind": "mate-play", "moves": [], "move": right[0]}));
    assert_eq!(reply["verdict"], "mate-goes-on");
    assert_eq!(reply["moves"].as_array().unwrap().len(), 2);
    let quiet = host.result(json!({"kind": "mate-play", "moves": [], "move": "3c4c"}));
    assert_eq!((&quiet["verdict"], &quiet["reply"]), (&json!("no-check"), &Value::Null));
    let wrong = host.result(json!({"kind": "mate-play", "moves": [], "move": "3c3a"}));
    assert_eq!(wrong["verdict"], "refuted", "{wrong}");
    assert!(wrong["reply"].is_object());
    let fault = host.fault(json!({"kind": "mate-play", "moves": [], "move": "3c3d+"}));
    assert_eq!(fault["code"], "illegal-move");
}

#[test]
fn no_mate_and_no_king_are_told() {
    let mut host = Host::new();
    let event = solved(&mut host, "4k4/9/9/9/9/9/9/9/9 b P2r2b4g4s4n4l17p 1");
    assert_eq!((&event["verdict"], &event["proofNodes"]), (&json!("no-mate"), &json!(0)));
    assert_eq!(host.fault(json!({"kind": "mate-node", "moves": []}))["code"], "no-proof");
    let ask = json!({"kind": "solve-mate", "at": {"sfen": THREE}, "nodes": 1});
    let event = host.result(ask);
    assert_eq!(event["kind"], "mate");
}

#[test]
fn a_capture_is_read_solved_and_played_out() {
    let mut host = Host::new();
    let sgf = "(;GM[1]SZ[9]AB[cd][dc][dd]AW[bd][cc][ce][dec]AW[de][ed][ec][db])";
    let fault = host.fault(json!({"kind": "read-go", "sgf": "nothing"}));
    assert_eq!(fault["code"], "bad-go");
    let _ = host.ask(json!({"kind": "read-go", "sgf": sgf}));
    // A white stone in the corner with one liberty left.
    let board = json!({"size": 9, "black": ["A2"], "white": ["A1"]});
    let found = host.answer(json!({"kind": "go-candidates", "board": board, "target": "A1"}));
    assert_eq!(found["liberties"], json!(["B1"]));
    assert_eq!(
        (&found["candidates"][0]["level"], &found["candidates"][0]["number"]),
        (&json!(1), &json!(1))
    );
    let ask = json!({"kind": "solve-go", "board": board, "target": "A1", "first": "attacker"});
    let event = host.result(ask);
    assert_eq!(event["answer"], "unconditional");
    assert_eq!(event["line"][0]["point"], "B1");
    assert_eq!(event["line"][0]["board"]["white"], json!([]));
    let played =
        host.answer(json!({"kind": "play-go", "board": board, "colour": "black", "point": "B1"}));
    assert_eq!(played["board"]["white"], json!([]));
    let again =
        json!({"kind": "play-go", "board": played["board"], "colour": "white", "point": "B1"});
    assert_eq!(host.fault(again)["code"], "bad-go");
    let empty = json!({"kind": "solve-go", "board": board, "target": "E5", "first": "attacker"});
    assert_eq!(host.fault(empty)["code"], "no-target");
}

#[test]
fn a_net_is_proven_by_the_moves_that_matter_and_candidates_prove_nothing() {
    let mut host = Host::new();
    let net = |moves: &str| {
        let board = json!({"size": 9, "black": ["D5", "E4", "D7", "G4"], "white": ["E5", "H6"], "ko": null});
        json!({"kind": "solve-go", "board": board, "target": "E5", "first": "attacker", "moves": moves})
    };
    let proven = host.result(net("zones"));
    assert_eq!(proven["answer"], "unconditional", "{proven}");
    assert!(proven["checked"].as_u64().is_some_and(|positions| positions > 10), "{proven}");
    let likely = host.result(net("candidates"));
    assert_eq!((&likely["answer"], &likely["heuristic"]), (&json!("unconditional"), &json!(true)));
    assert_eq!(likely["checked"], Value::Null);
}
